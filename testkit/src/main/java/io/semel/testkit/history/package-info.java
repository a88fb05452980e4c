// SPDX-License-Identifier: Apache-2.0
/** Records of what concurrent callers asked of a store, and a checker that finds an order for them. */
@NullMarked
package io.semel.testkit.history;

import org.jspecify.annotations.NullMarked;
