// SPDX-License-Identifier: Apache-2.0
/** Wrong stores, kept to show that the contract catches each of them. */
@NullMarked
package io.semel.testkit.zoo;

import org.jspecify.annotations.NullMarked;
