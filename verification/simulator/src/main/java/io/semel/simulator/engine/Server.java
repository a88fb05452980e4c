// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Engine;
import io.semel.simulator.Node;

/** A node with an engine on it. */
record Server(Node node, Engine engine, Ears ears) {}
