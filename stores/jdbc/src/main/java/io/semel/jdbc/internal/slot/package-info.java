// SPDX-License-Identifier: Apache-2.0
/** The table of slots: its rows, and the statements that claim, settle, list, count and purge them; not for use outside this module. */
@NullMarked
package io.semel.jdbc.internal.slot;

import org.jspecify.annotations.NullMarked;
