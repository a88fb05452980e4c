// SPDX-License-Identifier: Apache-2.0
/** Wrong stores of producers, kept to show that the contract catches each of them. */
@NullMarked
package io.semel.testkit.zoo.producer;

import org.jspecify.annotations.NullMarked;
