// SPDX-License-Identifier: Apache-2.0
/** The rules of the engine as tests, and wrong engines that fail them. */
@NullMarked
package io.semel.testkit.zoo.engine;

import org.jspecify.annotations.NullMarked;
