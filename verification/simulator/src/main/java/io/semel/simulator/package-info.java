// SPDX-License-Identifier: Apache-2.0
/** A deterministic, seeded world for simulations: tasks, nodes, virtual time and faults; the same seed plays the same run. */
@NullMarked
package io.semel.simulator;

import org.jspecify.annotations.NullMarked;
