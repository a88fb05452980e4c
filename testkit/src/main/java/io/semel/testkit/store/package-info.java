// SPDX-License-Identifier: Apache-2.0
/** The laws of a store as tests to extend. */
@NullMarked
package io.semel.testkit.store;

import org.jspecify.annotations.NullMarked;
