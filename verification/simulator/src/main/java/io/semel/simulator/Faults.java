// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import io.semel.Key;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** The odds of every {@link Fault} in one run, and what those do that befall nodes and clocks. */
public final class Faults {

    /** Of each kind in one run, or a run with many of them might never come to its end. */
    private static final int MOST = 20;

    private static final Duration LONGEST_HOP = Duration.ofMillis(20);

    private final World world;
    private final Chance chance;
    private final Map<Fault, Double> odds = new EnumMap<>(Fault.class);
    private final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
    private final Map<Key, Long> blockedUntil = new HashMap<>();
    private final Map<Key, Long> excusedUntil = new HashMap<>();
    private Duration unit = Duration.ofSeconds(1);
    private boolean calm;

    Faults(World world) {
        this.world = world;
        this.chance = world.chance();
    }

    /** How likely a fault is at each of the points where it can strike. */
    public void odds(Fault fault, double probability) {
        odds.put(fault, probability);
    }

    /** What pauses, delays and jumps are measured in: usually the lease. */
    public void unit(Duration span) {
        unit = span;
    }

    /** From now on nothing goes wrong; what went wrong before takes its course. */
    public void calm() {
        if (!calm) {
            calm = true;
            world.tell("--- faults stop ---");
        }
    }

    public boolean areOver() {
        return calm;
    }

    /** Whether this fault strikes here and now. */
    public boolean strikes(Fault fault) {
        boolean strikes =
                !calm && chance.of(odds.getOrDefault(fault, 0.0)) && struck.merge(fault, 1, Integer::sum) <= MOST;
        if (strikes) {
            world.tally().count("fault " + fault);
            world.tell("* " + fault);
        }
        return strikes;
    }

    /** A point where a node may die, stand still or merely lose some time. */
    public void border(Node node) {
        if (!calm && !odds.isEmpty()) {
            befall(node);
        }
        if (chance.of(0.35)) {
            world.sleep(chance.between(Duration.ZERO, LONGEST_HOP));
        } else {
            world.step();
        }
    }

    /** Some time, long enough to matter. */
    public Duration delay() {
        return chance.partOf(unit, 0.1, 2);
    }

    /** Longer than a lease. */
    Duration hanging() {
        return chance.partOf(unit, 1.1, 4);
    }

    /** The store blocks on this key: whoever names it waits. */
    void block(Key key, Duration span) {
        blockedUntil.merge(key, world.now() + span.toNanos(), Math::max);
    }

    /** Only for what hung: others who name the key are not kept waiting. */
    void excuse(Key key, Duration span) {
        excusedUntil.merge(key, world.now() + span.toNanos(), Math::max);
    }

    /** Until when, in virtual time, the store blocks on this key. */
    long blockedUntil(Key key) {
        return blockedUntil.getOrDefault(key, Long.MIN_VALUE);
    }

    /** Until when, in virtual time, calls that hung kept this key from being renewed: nobody can expect its lease to be kept. */
    public long excusedUntil(Key key) {
        return Math.max(blockedUntil(key), excusedUntil.getOrDefault(key, Long.MIN_VALUE));
    }

    private void befall(Node node) {
        if (strikes(Fault.CRASH)) {
            node.crash();
        }
        if (strikes(Fault.PAUSE)) {
            node.pause(chance.partOf(unit, 0.2, 3));
        }
        if (strikes(Fault.STARVE)) {
            node.starve(chance.partOf(unit, 0.5, 3));
        }
        if (strikes(Fault.LEAP)) {
            node.leap(chance.partOf(unit, 0.1, 5));
        }
        if (strikes(Fault.JUMP_FORTH)) {
            world.storeClock().jump(chance.partOf(unit, 0.1, 5));
        }
        if (strikes(Fault.JUMP_BACK)) {
            world.storeClock().jump(chance.partOf(unit, 0.1, 2).negated());
        }
    }
}
