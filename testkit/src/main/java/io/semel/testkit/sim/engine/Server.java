// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.sim.engine;

import io.semel.Engine;
import io.semel.testkit.sim.Node;

/** A node with an engine on it. */
record Server(Node node, Engine engine, Ears ears) {}
