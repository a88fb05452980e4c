// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Attempt;
import io.semel.Retention;
import io.semel.simulator.World;
import io.semel.store.Claim;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Judges what work does: whether it may begin, and its effects. */
final class Judge {

    /** How late, in leases, a dated call may be because of pauses and slow calls alone. */
    private static final int LENIENCE = 12;

    private final World world;
    private final Rules rules;
    private int executions;

    Judge(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    /** Work begins. */
    Execution begins(Asking asking, Attempt attempt) {
        Grant grant = grantOf(asking, attempt);
        Execution execution = new Execution(++executions, grant, asking);
        rules.check(grant.execution == null, Invariant.GRANTED, execution, "one grant begins work twice");
        grant.execution = execution;
        asking.execution = execution;
        rules.check(!grant.duringLease, Invariant.ALONE, execution, "another holder's lease was good");
        rules.check(!grant.whileSettled, Invariant.LATE, execution, "the key is settled");
        rules.check(grant.fenceRose, Invariant.FENCE_RISES, execution, "its fence is not above all earlier ones");
        checkFingerprint(execution);
        checkPolicy(execution);
        checkDate(execution);
        world.tell("work begins: " + execution);
        return execution;
    }

    /** The outside world accepted the effect. */
    void acted(Execution execution) {
        Life life = execution.life();
        world.tell("effect " + execution.effect + ", number " + life.effects.size() + " of " + life);
        rules.check(isOnce(life), Invariant.EFFECT_ONCE, execution, "it is not alone in its life: " + life.effects);
        boolean fenced = life.plan.downstream() == Downstream.FENCED && !life.effects.isEmpty();
        Grant stands = standing(life);
        boolean late = fenced && stands != null && stands != execution.grant && hadEffect(stands);
        rules.check(!late, Invariant.FENCED, execution, "it is accepted after the answer of " + stands);
    }

    /** A grant that was not heard here stands in for the missing one, so that the run can be told to its end. */
    private Grant grantOf(Asking asking, Attempt attempt) {
        boolean granted = asking.lastHeard instanceof Claim.Granted heard && heard.fence() == attempt.fence();
        if (granted && !asking.grants.isEmpty()) {
            return asking.grants.get(asking.grants.size() - 1);
        }
        rules.check(false, Invariant.GRANTED, asking.call, "work begins, and the store last said " + asking.lastHeard);
        Life life = new Life(asking.plan, 0, asking.call.fingerprint(), world.now(), 0);
        Grant none = new Grant(life, "nobody", attempt.fence(), 0, false, false, true);
        life.grants.add(none);
        return none;
    }

    private void checkFingerprint(Execution execution) {
        boolean same = execution.life().fingerprint.equals(execution.asking.call.fingerprint());
        rules.check(same, Invariant.FINGERPRINT, execution, "its life is another fingerprint's");
    }

    private void checkPolicy(Execution execution) {
        Grant grant = execution.grant;
        Policy policy = grant.life.plan.policy();
        rules.check(
                policy != Policy.REFUSE || grant.isFirst(),
                Invariant.REFUSED,
                execution,
                "an earlier holder fell silent");
        rules.check(
                policy != Policy.RECONCILE || grant.isFirst() || execution.asking.toldDidNotHappen == grant.fence,
                Invariant.RECONCILED,
                execution,
                "the hook did not say that it did not happen");
    }

    private void checkDate(Execution execution) {
        Instant firstSent = execution.asking.firstSent();
        Plan plan = execution.life().plan;
        if (firstSent == null || plan.retention().retention().equals(Retention.FOREVER)) {
            return;
        }
        Duration latest = plan.retention().retention().plus(plan.lease().multipliedBy(LENIENCE));
        Duration age = Duration.between(firstSent, world.storeClock().instant())
                .minusNanos(world.storeClock().nanos() - execution.life().beganInStore);
        rules.check(
                age.compareTo(latest) <= 0,
                Invariant.LATE,
                execution,
                "its life began " + age + " after the call was first sent, and retention is "
                        + plan.retention().retention());
    }

    private static boolean isOnce(Life life) {
        boolean alone = life.effects.size() <= (life.released ? 0 : 1);
        return alone || life.rash || !life.plan.promisesOneEffect();
    }

    private @Nullable Grant standing(Life life) {
        Answer answer = life.answer();
        return answer == null ? null : answer.by();
    }

    private static boolean hadEffect(Grant grant) {
        return grant.execution != null && grant.execution.effect != null;
    }

    /** At the end of a run: what is recorded as done was done, and where downstream checks fences it was done last. */
    void checkEffects(Account account, Ledger ledger) {
        for (Life life : account.lives) {
            rules.check(isOnce(life), Invariant.EFFECT_ONCE, life, "it was released, and has effects " + life.effects);
            for (Answer answer : life.answers) {
                boolean value = answer.stored().kind() == Stored.Kind.VALUE;
                boolean kept = !value || ledger.has(account, answer.stored().text());
                rules.check(kept, Invariant.EFFECT_KEPT, life, "no effect has the recorded value, " + answer.stored());
            }
            Grant stands = standing(life);
            boolean fenced = life.plan.downstream() == Downstream.FENCED && stands != null && hadEffect(stands);
            boolean last =
                    !fenced || (!life.effects.isEmpty() && life.effects.get(life.effects.size() - 1).grant == stands);
            rules.check(last, Invariant.FENCED, life, "its last effect is not that of the answer, " + stands);
        }
    }
}
