// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Attempt;
import io.semel.Rejection;
import io.semel.simulator.Chance;
import java.time.Duration;

/** The work: it takes its time, and then has an effect, says no, or fails. */
final class Labour {

    private final Scene scene;
    private final Chance chance;

    Labour(Scene scene) {
        this.scene = scene;
        this.chance = scene.chance;
    }

    String work(Asking asking, Attempt attempt) throws WorkFailed {
        Execution execution = scene.judge.begins(asking, attempt);
        try {
            toil(asking, attempt);
            endBadlyPerhaps(execution);
            return act(execution, attempt);
        } catch (WorkFailed | RuntimeException | Error thrown) {
            execution.thrown = thrown;
            throw thrown;
        }
    }

    private void toil(Asking asking, Attempt attempt) {
        for (int i = chance.below(3); i > 0; i--) {
            scene.faults.border(asking.node);
            Duration lease = asking.plan.lease();
            boolean hard = !scene.faults.areOver() && chance.of(scene.setup.hardship());
            scene.world.sleep(hard ? chance.partOf(lease, 0.3, 2) : chance.partOf(lease, 0, 0.05));
            if (chance.of(0.25)) {
                attempt.renew();
            }
        }
    }

    /** Only before anything has happened: work that throws after its effect is a fault of its author. */
    private void endBadlyPerhaps(Execution execution) throws WorkFailed {
        if (scene.faults.areOver()) {
            return;
        }
        if (chance.of(0.2)) {
            throw new WorkFailed("simulated: it did not happen");
        }
        if (chance.of(0.08)) {
            Rejection no = new Rejection("NO", " to " + execution.number);
            execution.answer = Stored.rejected(no.code(), no.detail());
            throw no;
        }
    }

    private String act(Execution execution, Attempt attempt) throws WorkFailed {
        scene.faults.border(execution.asking.node);
        String stands = scene.ledger.act(execution, attempt, value(execution));
        scene.judge.acted(execution);
        execution.answer = FussyCodec.recorded(stands);
        scene.faults.border(execution.asking.node);
        return stands;
    }

    private String value(Execution execution) {
        String value = execution.life().plan.key().id() + "#" + execution.number;
        if (scene.faults.areOver() || chance.of(0.9)) {
            return value;
        }
        return switch (chance.below(3)) {
            case 0 -> value + "-".repeat(Plan.MAX_ANSWER);
            case 1 -> FussyCodec.UNWRITABLE + value;
            default -> FussyCodec.BREAKING + value;
        };
    }
}
