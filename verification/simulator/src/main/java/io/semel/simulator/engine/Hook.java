// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Attempt;
import io.semel.Call;
import io.semel.WhenAbandoned;
import io.semel.WhenAbandoned.Verdict;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Tells an engine what really happened, or that nobody knows yet, or fails. */
final class Hook implements WhenAbandoned.Hook {

    private final Scene scene;

    Hook(Scene scene) {
        this.scene = scene;
    }

    @Override
    public Verdict ask(Call call, Attempt attempt) {
        Asking asking = scene.book.asking();
        if (asking == null) {
            throw new IllegalStateException("the hook is asked outside of a call");
        }
        scene.faults.border(asking.node);
        boolean restless = !scene.faults.areOver();
        if (restless && scene.chance.of(0.1)) {
            throw new IllegalStateException("simulated: the hook failed");
        }
        if (restless && scene.chance.of(0.25)) {
            scene.world.tally().count("hook StillUnknown");
            asking.toldStillUnknown = true;
            return Verdict.stillUnknown();
        }
        return truth(asking, attempt);
    }

    /** Asking downstream with a fence also shuts out whoever has a lower one, so that the answer stays true. */
    private Verdict truth(Asking asking, Attempt attempt) {
        scene.ledger.fenceOff(attempt.key(), attempt.fence());
        Grant grant = asking.grants.get(asking.grants.size() - 1);
        @Nullable String happened = scene.ledger.truth(grant.life).orElse(null);
        if (happened == null) {
            asking.toldDidNotHappen = attempt.fence();
            scene.world.tally().count("hook DidNotHappen");
            return Verdict.didNotHappen();
        }
        scene.world.tally().count("hook Happened");
        return new Verdict.Happened(happened.getBytes(StandardCharsets.UTF_8));
    }
}
