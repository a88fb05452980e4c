// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Key;
import io.semel.simulator.Chance;
import io.semel.simulator.Faults;
import io.semel.simulator.World;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What all who take part in one run share. */
final class Scene {

    final World world;
    final Chance chance;
    final Faults faults;
    final Setup setup;
    final Rules rules;
    final Book book;
    final Judge judge;
    final Answers answers;
    final Ledger ledger = new Ledger();
    private final Map<Key, Instant> firstSent = new HashMap<>();

    Scene(World world, Set<Invariant> waived) {
        this.world = world;
        this.chance = world.chance();
        this.faults = world.faults();
        this.setup = Setup.draw(chance);
        this.rules = new Rules(world, waived);
        this.book = new Book(world, rules, setup.plans());
        this.judge = new Judge(world, rules);
        this.answers = new Answers(world, book, rules);
    }

    /** A dated key has one date, whoever sends it. */
    Instant firstSent(Key key) {
        return firstSent.computeIfAbsent(key, unknown -> world.storeClock().instant());
    }
}
