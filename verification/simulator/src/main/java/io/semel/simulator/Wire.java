// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import io.semel.Key;
import io.semel.StoreException;
import java.time.Duration;
import java.util.List;
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

    /** The request names no key. */
    <T> T send(Supplier<T> request) {
        return send(List.of(), request);
    }

    /** The request must not wait, and may be obeyed twice or after the caller has been told that it failed. */
    <T> T send(List<Key> keys, Supplier<T> request) {
        return send(keys, request, true);
    }

    /** The request is obeyed before its caller hears of it, or never. */
    <T> T sendAtOnce(Supplier<T> request) {
        return send(List.of(), request, false);
    }

    private <T> T send(List<Key> keys, Supplier<T> request, boolean lingers) {
        faults.border(node);
        hang(keys);
        failBefore(request, lingers);
        T answer = request.get();
        if (lingers && faults.strikes(Fault.ECHO)) {
            later(request);
        }
        hang(keys);
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
        return unknown();
    }

    private RuntimeException unknown() {
        return world.chance().of(0.2) ? new IllegalStateException(MAYBE) : new StoreException(MAYBE, null);
    }

    private void hang(List<Key> keys) {
        if (!faults.strikes(Fault.HANG)) {
            keys.forEach(this::awaitUnblocked);
            return;
        }
        Duration span = faults.hanging();
        if (!keys.isEmpty() && world.chance().of(0.5)) {
            Key key = world.chance().pick(keys);
            world.tell("the store blocks on " + key.id() + " for " + span);
            faults.block(key, span);
            awaitUnblocked(key);
        } else {
            hangAlone(keys, span);
        }
        if (world.chance().of(0.3)) {
            throw unknown();
        }
    }

    /** Many keys lose nothing by a call that they share: they can be renewed by others, in time if the node's clock is right. */
    private void hangAlone(List<Key> keys, Duration span) {
        world.tell(
                "a call hangs for " + span + ": " + keys.stream().map(Key::id).toList());
        if (keys.size() == 1 || !node.isSteady()) {
            keys.forEach(key -> faults.excuse(key, span));
        }
        awaitReturn(world.now() + span.toNanos());
    }

    private void awaitUnblocked(Key key) {
        if (faults.blockedUntil(key) > world.now()) {
            awaitReturn(faults.blockedUntil(key));
        }
    }

    private void awaitReturn(long until) {
        Task self = world.me();
        self.troubleAlone(until);
        Object ticket = new Object();
        self.interruptible = world.chance().of(0.5) ? ticket : null;
        world.wakeAfter(until - world.now(), self, ticket);
        world.scheduler().await(ticket);
        self.interruptible = null;
        if (world.now() < until) {
            world.tell("a call that hung is interrupted");
            throw unknown();
        }
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
