// SPDX-License-Identifier: Apache-2.0
/** The memory store under its contract, and what only it promises. */
@NullMarked
package io.semel.testkit.memory;

import org.jspecify.annotations.NullMarked;
