// SPDX-License-Identifier: Apache-2.0
/** A store in a relational database, on its own or joined to the caller's transaction. */
@NullMarked
package io.semel.jdbc;

import org.jspecify.annotations.NullMarked;
