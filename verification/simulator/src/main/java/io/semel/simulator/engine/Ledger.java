// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Attempt;
import io.semel.Key;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The outside world, where effects land; it knows nothing of the store's transactions. */
final class Ledger {

    private final Map<Key, Long> highestFences = new HashMap<>();
    private final Map<String, String> firstValues = new HashMap<>();
    private final Map<Key, String> derivedKeys = new HashMap<>();

    /** The effect lands, and the outside world says with which value; or it refuses a fence. */
    String act(Execution execution, Attempt attempt, String value) throws WorkFailed {
        String stands = switch (execution.life().plan.downstream()) {
            case PLAIN -> value;
            case FENCED -> fenced(attempt, value);
            case KEYED -> keyed(attempt, value);
        };
        execution.effect = stands;
        if (stands.equals(value)) {
            execution.life().effects.add(execution);
        }
        return stands;
    }

    /** From now on nothing with a lower fence is accepted. */
    void fenceOff(Key key, long fence) {
        highestFences.merge(key, fence, Math::max);
    }

    /** What really happened in this life; with which value. */
    Optional<String> truth(Life life) {
        if (life.plan.downstream() == Downstream.KEYED) {
            return Optional.ofNullable(derivedKeys.get(life.plan.key())).map(firstValues::get);
        }
        List<Execution> effects = life.effects;
        return effects.isEmpty() ? Optional.empty() : Optional.ofNullable(effects.get(effects.size() - 1).effect);
    }

    /** Whether an effect with this value landed for this key. */
    boolean has(Account account, String value) {
        return firstValues.containsValue(value)
                || account.lives.stream()
                        .flatMap(life -> life.effects.stream())
                        .anyMatch(execution -> value.equals(execution.effect));
    }

    private String fenced(Attempt attempt, String value) throws WorkFailed {
        if (attempt.fence() < highestFences.getOrDefault(attempt.key(), Long.MIN_VALUE)) {
            throw new WorkFailed("downstream refuses the fence");
        }
        fenceOff(attempt.key(), attempt.fence());
        return value;
    }

    private String keyed(Attempt attempt, String value) {
        String derived = attempt.derive("effect");
        derivedKeys.put(attempt.key(), derived);
        return firstValues.computeIfAbsent(derived, unknown -> value);
    }
}
