// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Key;
import io.semel.memory.MemoryStore;
import io.semel.simulator.Fault;
import io.semel.simulator.Played;
import io.semel.simulator.Seeds;
import io.semel.simulator.Tally;
import io.semel.store.Claim;
import io.semel.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineSimulationTest {

    /** What has to occur once in so many seeds, or the simulation does not show what it claims to. */
    private static final int SEEDS_PER_OCCURRENCE = 1000;

    @Test
    void everySeedKeepsEveryInvariantAndEveryFaultOccurs() {
        Seeds seeds = Seeds.ofProperties(System.out);

        Tally tally = seeds.play(EngineSimulation.inMemory());

        for (String expected : expected()) {
            assertThat(tally.of(expected).runs())
                    .as(expected)
                    .isGreaterThanOrEqualTo(seeds.count() / SEEDS_PER_OCCURRENCE);
        }
    }

    /** Neither random tokens nor fences, which depend on a store's random hash, may make a difference. */
    @Test
    void aSeedPlaysTheSameRunTwice() {
        EngineSimulation otherFences = EngineSimulation.on(time -> new OtherFences(new MemoryStore(1 << 20, time)));
        for (int seed = 0; seed < 300; seed++) {
            Played once = Played.play(seed, EngineSimulation.inMemory());
            Played again = Played.play(seed, otherFences);

            assertThat(again.trace().lines())
                    .as("seed " + seed)
                    .isEqualTo(once.trace().lines());
            assertThat(again.tally()).hasToString(once.tally().toString());
        }
    }

    private static final class OtherFences extends Bent {

        OtherFences(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            return claim instanceof Claim.Granted granted
                    ? new Claim.Granted(granted.fence() * 1000 + 17, granted.abandoned())
                    : claim;
        }

        @Override
        long straightFence(Key key, String holder, long told) {
            return (told - 17) / 1000;
        }
    }

    private static List<String> expected() {
        List<String> expected = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            expected.add("fault " + fault);
        }
        // The other reasons are for sessions.
        for (String reason : List.of("MISMATCH", "GONE", "UNKNOWN", "NOT_RETAINED")) {
            expected.add("outcome Refused " + reason);
        }
        for (String event : List.of(
                "Abandoned",
                "ClaimFailed",
                "Executed",
                "LostLease",
                "NotRetained",
                "Operated",
                "Released",
                "RenewFailed",
                "Replayed",
                "SettleFailed",
                "Unknown",
                "WasBusy",
                "WasRefused")) {
            expected.add("event " + event);
        }
        expected.addAll(List.of(
                "hook DidNotHappen",
                "hook Happened",
                "hook StillUnknown",
                "life forgotten",
                "life released",
                "operator LAPSED APPLIED",
                "operator UNKNOWN APPLIED",
                "outcome Busy",
                "outcome Done",
                "outcome Done, replayed",
                "outcome Done, shared in one node",
                "outcome Rejection",
                "outcome Rejection, replayed",
                "store grants, abandoned",
                "store grants, to an old holder",
                "store refuses Complete",
                "store refuses Release",
                "store refuses Renew",
                "thrown CodecFailed",
                "thrown LeaseLost",
                "thrown OutcomeUnknown",
                "thrown StoreException",
                "thrown WorkFailed"));
        return expected;
    }
}
