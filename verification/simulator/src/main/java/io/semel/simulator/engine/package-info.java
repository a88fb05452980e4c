// SPDX-License-Identifier: Apache-2.0
/** The simulation of engines on one store, with clients, an outside world and an operator, and what must hold in it. */
@NullMarked
package io.semel.simulator.engine;

import org.jspecify.annotations.NullMarked;
