// SPDX-License-Identifier: Apache-2.0
/** The tables of sessions and the statements on them; not for use outside this module. */
@NullMarked
package io.semel.jdbc.internal.session;

import org.jspecify.annotations.NullMarked;
