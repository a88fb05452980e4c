// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Key;
import io.semel.Operation;
import io.semel.Retention;
import io.semel.WhenAbandoned;
import io.semel.simulator.Chance;
import java.time.Duration;
import java.util.List;

/** How one key is treated in a run. */
record Plan(Key key, Policy policy, Downstream downstream, Duration lease, Retention retention, boolean dated) {

    static final int MAX_ANSWER = 64;

    /** Dated keys are remembered for long, so that a late one cannot be taken for one that was merely slow. */
    static Plan draw(Chance chance, int number, Duration lease, boolean steadyClocks) {
        boolean dated = steadyClocks && chance.of(0.3);
        Duration retention = lease.multipliedBy(chance.between(1, 30));
        Duration remembrance = lease.multipliedBy(dated ? chance.between(20, 40) : chance.between(0, 20));
        return new Plan(
                Key.of("sim", "k" + number),
                chance.pick(List.of(Policy.values())),
                chance.pick(List.of(Downstream.values())),
                lease,
                chance.of(0.05) ? Retention.UNENDING : Retention.of(retention, remembrance),
                dated);
    }

    Operation operation(WhenAbandoned.Hook hook) {
        WhenAbandoned whenAbandoned = switch (policy) {
            case RERUN -> WhenAbandoned.rerun();
            case REFUSE -> WhenAbandoned.refuse();
            case RECONCILE -> WhenAbandoned.reconcile(hook);
        };
        return Operation.named(key.id())
                .lease(lease)
                .retention(retention.retention(), retention.remembrance())
                .whenAbandoned(whenAbandoned)
                .retryAfter(lease.dividedBy(4))
                .keepAnswersUpTo(MAX_ANSWER);
    }

    /** Whether an effect may be expected to land once, and never where somebody says that it did not happen. */
    boolean promisesOneEffect() {
        return policy == Policy.REFUSE || (policy == Policy.RECONCILE && downstream == Downstream.FENCED);
    }
}
