// SPDX-License-Identifier: Apache-2.0
/** Stores made of stores: answers kept nearer to the caller, and the move from one store to another. */
@NullMarked
package io.semel.layered;

import org.jspecify.annotations.NullMarked;
