// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Codec;
import io.semel.Operator;
import io.semel.simulator.Chance;
import io.semel.simulator.Crash;
import io.semel.store.Slot;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** The operator: looks at a key, finds out what really happened, takes some time, and then decides by that. */
final class Person implements Runnable {

    private final Scene scene;
    private final Chance chance;
    private final Fleet fleet;
    private final Hook hook;

    Person(Scene scene, Fleet fleet) {
        this.scene = scene;
        this.chance = scene.chance;
        this.fleet = fleet;
        this.hook = new Hook(scene);
    }

    @Override
    public void run() {
        for (int i = chance.between(1, 4); i > 0; i--) {
            Plan plan = chance.pick(scene.setup.plans());
            scene.world.sleep(chance.partOf(plan.lease(), 0.5, 5));
            boolean careful = chance.of(0.7);
            if (!careful || isQuiet(plan)) {
                act(plan, chance.partOf(plan.lease(), 0, 3));
            }
        }
    }

    /** Does what the truth demands; false if it did not apply, or nobody knows. */
    boolean act(Plan plan, Duration thinking) {
        Slot seen = ask(plan, operator -> operator.look(plan.key())).orElse(null);
        Life life = scene.book.account(plan.key()).life();
        if (seen == null || life == null) {
            return false;
        }
        Optional<String> truth = scene.ledger.truth(life);
        // Whoever decides while an attempt is alive decides too early.
        life.rash |= !isQuiet(plan);
        scene.world.sleep(thinking);
        Optional<Operator.Result> result = ask(plan, operator -> Optional.of(decide(operator, seen, truth)));
        String answer = result.map(Operator.Result::toString).orElse("unanswered");
        scene.world.tell(
                "the operator decides " + plan.key().id() + ", seen " + seen.state() + ", by " + truth + ": " + answer);
        scene.world.tally().count("operator " + seen.state() + " " + answer);
        return result.filter(it -> it == Operator.Result.APPLIED).isPresent();
    }

    private static Operator.Result decide(Operator operator, Slot seen, Optional<String> truth) {
        return truth.isPresent() ? operator.resolve(seen, Codec.utf8(), truth.get()) : operator.release(seen);
    }

    private <T> Optional<T> ask(Plan plan, Function<Operator, Optional<T>> question) {
        Server server = fleet.pick();
        try {
            return server.node()
                    .within(() -> question.apply(
                            server.engine().with(plan.operation(hook)).operator("person")));
        } catch (Crash crash) {
            scene.world.tell("the operator is not answered: " + server.node() + " died");
        } catch (RuntimeException failure) {
            boolean simulated = String.valueOf(failure.getMessage()).startsWith("simulated");
            scene.rules.check(simulated, Invariant.HONEST, "the operator", "nothing explains " + failure);
        }
        return Optional.empty();
    }

    /** Whether no attempt at this key can still do anything. */
    private boolean isQuiet(Plan plan) {
        return scene.book.account(plan.key()).lives.stream()
                .flatMap(life -> life.grants.stream())
                .noneMatch(Grant::isAlive);
    }
}
