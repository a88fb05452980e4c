// SPDX-License-Identifier: Apache-2.0
/** The engine under manual time: what core's own tests cannot show without the kit. */
@NullMarked
package io.semel.testkit.engine;

import org.jspecify.annotations.NullMarked;
