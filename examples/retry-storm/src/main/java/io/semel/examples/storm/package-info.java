// SPDX-License-Identifier: Apache-2.0
/** Three attempts at a payment method whose callers retry: the bug, the half-fix and the fix. */
@NullMarked
package io.semel.examples.storm;

import org.jspecify.annotations.NullMarked;
