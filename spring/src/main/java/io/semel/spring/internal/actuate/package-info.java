// SPDX-License-Identifier: Apache-2.0
/** The actuator endpoint for operators. */
@NullMarked
package io.semel.spring.internal.actuate;

import org.jspecify.annotations.NullMarked;
