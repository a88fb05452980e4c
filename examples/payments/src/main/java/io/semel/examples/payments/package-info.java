// SPDX-License-Identifier: Apache-2.0
/** A service that takes payments: with a bug, with half a fix, and fixed. */
@NullMarked
package io.semel.examples.payments;

import org.jspecify.annotations.NullMarked;
