// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import java.time.Duration;

/**
 * The parameters of a storm.
 *
 * @param keys how many orders there are, each with its own key
 * @param limit how long it may take, whatever is left
 * @param clients how many at a time
 * @param seed of the decisions that clients and network take
 */
public record StormPlan(long keys, Duration limit, int clients, long seed) {}
