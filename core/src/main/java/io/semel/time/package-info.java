// SPDX-License-Identifier: Apache-2.0
/** Monotonic time, which tests can replace. */
@NullMarked
package io.semel.time;

import org.jspecify.annotations.NullMarked;
