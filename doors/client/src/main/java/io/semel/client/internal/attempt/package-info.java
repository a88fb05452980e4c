// SPDX-License-Identifier: Apache-2.0
/** Bounds attempts: how long one may take, how many retries there may be, and where they run. */
@NullMarked
package io.semel.client.internal.attempt;

import org.jspecify.annotations.NullMarked;
