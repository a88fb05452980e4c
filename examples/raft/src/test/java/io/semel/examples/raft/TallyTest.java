// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The state machine without Raft: what the log says decides, and nothing else. */
class TallyTest {

    private static final long START = 1_000_000_000L;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    @Test
    void anEntryThatTheLogHasTwiceIsCountedOnce() {
        Tally tally = new Tally();
        tally.apply(START, "register alice");
        assertThat(tally.apply(START, "add alice 1 1 5")).isEqualTo("5");
        assertThat(tally.apply(START, "add alice 2 1 5")).isEqualTo("10");
        assertThat(tally.apply(START, "add alice 1 1 5")).isEqualTo("5");
        assertThat(tally.count()).isEqualTo(10);
    }

    /** Case 81: nobody looks at a clock; the replicas' own may differ by hours. */
    @Test
    void replicasTakeTheSameDecisionsWheneverTheyApplyTheLog() {
        String[] log = {"register alice", "add alice 1 1 5", "add alice 2 1 7", "add alice 1 1 5", "add alice 3 3 1"};
        Tally one = new Tally();
        Tally other = new Tally();
        for (int i = 0; i < log.length; i++) {
            assertThat(other.apply(START + i, log[i])).isEqualTo(one.apply(START + i, log[i]));
        }
        assertThat(other.snapshot()).isEqualTo(one.snapshot());
    }

    @Test
    void aSessionExpiresByTheTimeOfTheLogAndNothingOfItRunsAgain() {
        Tally tally = new Tally();
        tally.apply(START, "register alice");
        tally.apply(START, "add alice 1 1 5");
        tally.apply(START + 2 * MINUTE, "register bob");
        assertThat(tally.apply(START, "add alice 2 1 5")).contains("SESSION_EXPIRED");
        assertThat(tally.count()).isEqualTo(5);
    }

    /** Case 82: what is behind the snapshot is known to whoever starts from it. */
    @Test
    void aReplicaThatStartsFromASnapshotKnowsTheAnswersGivenBefore() {
        Tally leader = new Tally();
        leader.apply(START, "register alice");
        leader.apply(START, "add alice 1 1 5");
        leader.apply(START, "add alice 2 1 7");
        Tally follower = new Tally();
        follower.restore(leader.snapshot());

        assertThat(follower.apply(START + 1, "add alice 1 1 5")).isEqualTo("5");
        assertThat(follower.apply(START + 2, "add alice 3 1 1")).isEqualTo("13");
        leader.apply(START + 1, "add alice 1 1 5");
        leader.apply(START + 2, "add alice 3 1 1");
        assertThat(follower.snapshot()).isEqualTo(leader.snapshot());
        assertThat(follower.apply(START + 2 * MINUTE, "add alice 4 1 1")).contains("SESSION_EXPIRED");
    }
}
