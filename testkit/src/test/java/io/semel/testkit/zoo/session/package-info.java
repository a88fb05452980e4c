// SPDX-License-Identifier: Apache-2.0
/** Wrong stores of sessions, kept to show that the contract catches each of them. */
@NullMarked
package io.semel.testkit.zoo.session;

import org.jspecify.annotations.NullMarked;
