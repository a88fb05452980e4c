// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WorldTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void aSeedPlaysTheSameRunAgainAndAnotherSeedPlaysAnother() {
        Simulation race = world -> {
            List<Task> tasks = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                tasks.add(world.spawn("task-" + i, () -> {
                    for (int step = 0; step < 20; step++) {
                        world.tell("step");
                        world.step();
                    }
                }));
            }
            world.join(tasks);
        };

        List<String> once = play(1, race).trace().lines();

        assertThat(once).hasSize(100);
        assertThat(play(1, race).trace().lines()).isEqualTo(once);
        assertThat(play(2, race).trace().lines()).isNotEqualTo(once);
    }

    @Test
    void timePassesOnlyWhileEverybodyWaits() {
        Played played = play(1, world -> {
            Task sleeper = world.spawn("sleeper", () -> {
                world.sleep(Duration.ofDays(400));
                world.tell("woke after " + Duration.ofNanos(world.now()).toDays() + " days");
            });
            for (int i = 0; i < 1000; i++) {
                world.step();
            }
            world.tell("it is " + world.now());
            world.join(List.of(sleeper));
        });

        assertThat(told(played)).containsExactly("it is 0", "woke after 400 days");
    }

    @Test
    void aDeadlockIsAViolation() {
        Played played = play(1, world -> world.scheduler().await(new Object()));

        assertBreaks(played, Liveness.NO_DEADLOCK);
    }

    @Test
    void anEndlessLoopIsAViolation() {
        Played played = play(1, world -> {
            while (true) {
                world.step();
            }
        });

        assertBreaks(played, Liveness.NO_ENDLESS_LOOP);
    }

    @Test
    void whatNobodyExpectedIsAViolation() {
        Played played = play(
                1,
                world -> world.join(List.of(world.spawn("clumsy", () -> {
                    throw new IllegalStateException("oops");
                }))));

        assertBreaks(played, Liveness.NO_SURPRISE);
        assertThat(played.violation()).hasMessageContaining("oops");
    }

    @Test
    void whateverStillRunsAtTheEndIsEnded() {
        AtomicBoolean ended = new AtomicBoolean();

        Played played = play(1, world -> {
            world.spawn("endless", () -> {
                try {
                    world.sleep(Duration.ofDays(1));
                } finally {
                    ended.set(true);
                }
            });
            world.sleep(SECOND);
        });

        assertThat(played.violation()).isNull();
        assertThat(ended).isTrue();
    }

    @Test
    void onACrashedNodeNothingGoesOn() {
        Played played = play(1, world -> {
            Node node = node(world);
            Task victim = world.spawn("victim", () -> {
                try {
                    node.within(() -> {
                        world.tell("works");
                        world.sleep(SECOND);
                        world.tell("still works");
                        return true;
                    });
                } catch (Crash crash) {
                    world.tell("crashed");
                }
            });
            node.time().schedule(SECOND, () -> world.tell("beats"));
            world.sleep(Duration.ofMillis(500));
            node.crash();
            world.join(List.of(victim));
            world.sleep(SECOND);
        });

        assertThat(told(played)).containsExactly("works", "crashed");
    }

    @Test
    void aPausedNodeStandsStillWhileOthersGoOn() {
        Played played = play(1, world -> {
            Node node = node(world);
            Task paused = world.spawn(
                    "paused",
                    () -> node.within(() -> {
                        world.sleep(SECOND);
                        world.tell("woke at " + Duration.ofNanos(world.now()));
                        return true;
                    }));
            node.time().schedule(SECOND, () -> world.tell("beat at " + Duration.ofNanos(world.now())));
            world.step();
            node.pause(SECOND.multipliedBy(30));
            world.sleep(SECOND.multipliedBy(10));
            world.tell("went on at " + Duration.ofNanos(world.now()));
            world.join(List.of(paused));
            world.sleep(SECOND);
        });

        assertThat(told(played)).first().isEqualTo("went on at PT10S");
        assertThat(told(played)).contains("woke at PT30S", "beat at PT30S");
    }

    @Test
    void onAStarvedNodeNothingScheduledRuns() {
        Played played = play(1, world -> {
            Node node = node(world);
            node.starve(SECOND.multipliedBy(5));
            node.time().schedule(SECOND, () -> world.tell("beat at " + Duration.ofNanos(world.now())));
            node.within(() -> {
                world.sleep(SECOND.multipliedBy(2));
                world.tell("went on at " + Duration.ofNanos(world.now()));
                return true;
            });
            world.sleep(SECOND.multipliedBy(10));
        });

        assertThat(told(played)).containsExactly("went on at PT2S", "beat at PT5S");
    }

    @Test
    void aWaitEndsWithItsFutureOrItsTime() {
        Played played = play(1, world -> {
            Node node = node(world);
            CompletableFuture<String> future = new CompletableFuture<>();
            world.after(SECOND.multipliedBy(3), () -> future.complete("done"));
            boolean early = awaited(node, future, SECOND);
            world.tell(early + " at " + Duration.ofNanos(world.now()));
            boolean late = awaited(node, future, SECOND.multipliedBy(30));
            world.tell(late + " at " + Duration.ofNanos(world.now()));
        });

        assertThat(told(played)).containsExactly("false at PT1S", "true at PT3S");
    }

    @Test
    void anInterruptedTaskTakesItsTurnsAllTheSame() {
        Played played = play(1, world -> {
            Task other = world.spawn("other", () -> world.sleep(SECOND));
            Thread.currentThread().interrupt();
            world.join(List.of(other));
            world.tell("interrupted: " + Thread.interrupted());
        });

        assertThat(told(played)).containsExactly("interrupted: true");
    }

    @Test
    void theClockOfANodeHasItsOwnBeginningAndPace() {
        Played played = play(1, world -> {
            Node slow = new Node(world, "slow", Long.MAX_VALUE - 10, 0.5);
            long start = slow.time().nanos();
            world.sleep(SECOND);
            world.tell("passed " + (slow.time().nanos() - start));
            slow.leap(SECOND);
            world.tell("passed " + (slow.time().nanos() - start));
        });

        assertThat(told(played)).containsExactly("passed 500000000", "passed 1500000000");
    }

    private static boolean awaited(Node node, CompletableFuture<?> future, Duration atMost) {
        return node.within(() -> {
            try {
                return node.time().await(future, atMost);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static Node node(World world) {
        return new Node(world, "node", 0, 1);
    }

    private static Played play(long seed, Simulation simulation) {
        return Played.play(seed, simulation);
    }

    /** The lines without time and name. */
    private static List<String> told(Played played) {
        assertThat(played.violation()).isNull();
        return played.trace().lines().stream()
                .map(line -> line.split(" {2}", 3)[2])
                .toList();
    }

    private static void assertBreaks(Played played, Enum<?> rule) {
        assertThat(played.violation()).isNotNull();
        assertThat(played.violation().rule()).isEqualTo(rule);
    }
}
