// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

/** What a plan does about abandoned calls; see {@link io.semel.WhenAbandoned}. */
enum Policy {
    RERUN,
    REFUSE,
    RECONCILE
}
