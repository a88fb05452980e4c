// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Call;
import io.semel.simulator.Node;
import io.semel.simulator.Task;
import io.semel.store.Claim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call of an engine, from its start to its answer. */
final class Asking {

    final Plan plan;
    final Call call;
    final Node node;
    final Task task;
    final long from;
    /** Grants whose answers arrived here. */
    final List<Grant> grants = new ArrayList<>();

    @Nullable
    Claim lastHeard;

    @Nullable
    Execution execution;
    /** The fence of the attempt to which the hook said that it did not happen; zero if to none. */
    long toldDidNotHappen;

    boolean toldStillUnknown;
    boolean decodingFails;
    boolean over;

    Asking(Plan plan, Call call, Node node, Task task, long from) {
        this.plan = plan;
        this.call = call;
        this.node = node;
        this.task = task;
        this.from = from;
    }

    /** Whether an attempt of this call may still do something. */
    boolean isAlive() {
        return !over && !node.isDead();
    }

    /** Whether a fault has kept it, or its node, from renewing a lease that began then. */
    boolean isTroubledSince(long leasedAt) {
        return node.troubledUntil() > leasedAt || task.troubledUntil() > leasedAt;
    }

    @Nullable
    Instant firstSent() {
        return call.firstSent();
    }
}
