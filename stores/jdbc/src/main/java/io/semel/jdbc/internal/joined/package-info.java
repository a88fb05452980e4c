// SPDX-License-Identifier: Apache-2.0
/** Claims that commit with the work: how a slot is taken within a transaction, and the transaction of one attempt; not for use outside this module. */
@NullMarked
package io.semel.jdbc.internal.joined;

import org.jspecify.annotations.NullMarked;
