// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WireTest {

    private static final Duration LONG = Duration.ofSeconds(10);

    private final List<String> events = new ArrayList<>();

    @Test
    void withoutFaultsARequestIsObeyedOnceAndAnswered() {
        send(null);

        assertThat(events).containsExactly("obeyed", "answered");
    }

    @Test
    void aRequestThatFailsBeforeIsNotObeyed() {
        send(Fault.FAIL_BEFORE);

        assertThat(events).containsExactly("failed");
    }

    @Test
    void aRequestThatFailsCertainlyIsNotObeyed() {
        send(Fault.FAIL_CERTAINLY);

        assertThat(events).containsExactly("failed");
    }

    @Test
    void aRequestThatFailsAfterIsObeyed() {
        send(Fault.FAIL_AFTER);

        assertThat(events).containsExactly("obeyed", "failed");
    }

    @Test
    void aLateRequestIsObeyedWhenItsCallerHasGivenUp() {
        send(Fault.LATE);

        assertThat(events).containsExactly("failed", "obeyed");
    }

    @Test
    void anEchoIsObeyedTwice() {
        send(Fault.ECHO);

        assertThat(events).containsExactly("obeyed", "answered", "obeyed");
    }

    @Test
    void whoeverCrashesBeforeTheRequestSendsNothing() {
        send(Fault.CRASH);

        assertThat(events).containsExactly("crashed");
    }

    @Test
    void aSlowRequestTakesItsTime() {
        Played played = Played.play(1, world -> {
            world.faults().odds(Fault.SLOW_BEFORE, 1);
            Node node = new Node(world, "node", 0, 1);
            node.within(() -> new Wire(world, node).send(() -> true));
            events.add(world.now() >= Duration.ofMillis(100).toNanos() ? "slow" : "quick");
        });

        assertThat(played.violation()).isNull();
        assertThat(events).containsExactly("slow");
    }

    @Test
    void aCallThatHangsComesBackAfterMoreThanALease() {
        Played played = Played.play(1, world -> {
            world.faults().odds(Fault.HANG, 1);
            Node node = new Node(world, "node", 0, 1);
            try {
                node.within(() -> new Wire(world, node).send(() -> events.add("obeyed")));
            } catch (RuntimeException failure) {
                events.add("failed");
            }
            events.add(world.now() > Duration.ofSeconds(1).toNanos() ? "hung" : "quick");
        });

        assertThat(played.violation()).isNull();
        assertThat(events).contains("hung");
    }

    @Test
    void aKeyOnWhichTheStoreBlocksKeepsNobodyElseWaiting() {
        Key blocked = Key.of("scope", "blocked");
        Key other = Key.of("scope", "other");
        Played played = Played.play(1, world -> {
            Node node = new Node(world, "node", 0, 1);
            Wire wire = new Wire(world, node);
            world.faults().block(blocked, LONG);
            Task waiting = world.spawn(
                    "waiting", () -> node.within(() -> wire.send(List.of(blocked, other), () -> events.add("both"))));
            node.within(() -> wire.send(List.of(other), () -> events.add("other")));
            world.join(List.of(waiting));
            events.add(world.now() >= LONG.toNanos() ? "hung" : "quick");
        });

        assertThat(played.violation()).isNull();
        assertThat(events).containsExactly("other", "both", "hung");
    }

    private void send(Fault fault) {
        Played played = Played.play(1, world -> {
            if (fault != null) {
                world.faults().odds(fault, 1);
            }
            Node node = new Node(world, "node", 0, 1);
            Wire wire = new Wire(world, node);
            try {
                node.within(() -> wire.send(() -> events.add("obeyed")));
                events.add("answered");
            } catch (Crash crash) {
                events.add("crashed");
            } catch (RuntimeException failure) {
                events.add("failed");
            }
            world.sleep(LONG);
        });
        assertThat(played.violation()).isNull();
    }
}
