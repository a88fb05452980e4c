// SPDX-License-Identifier: Apache-2.0
/** Statements, connections and transactions in the SQL of each database; not for use outside this module. */
@NullMarked
package io.semel.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
