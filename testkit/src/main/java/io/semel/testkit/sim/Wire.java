// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.sim;

import io.semel.StoreException;
import java.time.Duration;
import java.util.function.Supplier;

/** What lies between one node and the store: every call crosses two borders, and faults may strike at both. */
final class Wire {

    private static final String MAYBE = "simulated: the store may have obeyed, or not";

    private final World world;
    private final Node node;
    private final Faults faults;

    Wire(World world, Node node) {
        this.world = world;
        this.node = node;
        this.faults = world.faults();
    }

    /** The request must not wait, and may be obeyed twice or after the caller has been told that it failed. */
    <T> T send(Supplier<T> request) {
        return send(request, true);
    }

    /** The request is obeyed before its caller hears of it, or never. */
    <T> T sendAtOnce(Supplier<T> request) {
        return send(request, false);
    }

    private <T> T send(Supplier<T> request, boolean lingers) {
        faults.border(node);
        failBefore(request, lingers);
        T answer = request.get();
        if (lingers && faults.strikes(Fault.ECHO)) {
            later(request);
        }
        dally(Fault.SLOW_AFTER);
        faults.border(node);
        if (faults.strikes(Fault.FAIL_AFTER)) {
            throw failure();
        }
        return answer;
    }

    /** Not knowing, in the shape that stores give it; some drivers throw whatever they like. */
    RuntimeException failure() {
        trouble(Duration.ZERO);
        return world.chance().of(0.2) ? new IllegalStateException(MAYBE) : new StoreException(MAYBE, null);
    }

    private void failBefore(Supplier<?> request, boolean lingers) {
        dally(Fault.SLOW_BEFORE);
        if (faults.strikes(Fault.FAIL_CERTAINLY)) {
            trouble(Duration.ZERO);
            throw StoreException.changedNothing("simulated: nothing could be sent", null);
        }
        if (lingers && faults.strikes(Fault.LATE)) {
            later(request);
            throw failure();
        }
        if (faults.strikes(Fault.FAIL_BEFORE)) {
            throw failure();
        }
    }

    private void dally(Fault fault) {
        if (faults.strikes(fault)) {
            Duration delay = faults.delay();
            trouble(delay);
            world.sleep(delay);
        }
    }

    private void trouble(Duration span) {
        Task task = world.scheduler().currentOrNull();
        if (task != null) {
            task.trouble(world.now() + span.toNanos());
        }
    }

    /** A request on its way arrives even if its sender is dead by then; whatever comes of it, nobody is told. */
    private void later(Supplier<?> request) {
        world.after(faults.delay(), () -> {
            try {
                world.tell("a request of " + node + " arrives late");
                Object unused = request.get();
            } catch (RuntimeException unheard) {
                world.tell("and is answered, to nobody: " + unheard.getMessage());
            }
        });
    }
}
