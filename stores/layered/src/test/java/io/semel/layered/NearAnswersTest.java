// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** How much is remembered near, and for how long. */
class NearAnswersTest {

    private static final Duration LONG = Duration.ofDays(1);

    private final ManualTime time = new ManualTime();
    private final NearAnswers answers = NearAnswers.ofBytes(1 << 20, time);

    @Test
    void itHoldsNoMoreThanItsBytes() {
        for (int i = 0; i < 1_000; i++) {
            answers.put(Trial.key(), settled(10_000, LONG), LONG, time.nanos());
        }

        assertThat(answers.size()).isBetween(50L, (1L << 20) / 10_000);
    }

    @Test
    void smallAnswersAreWeighedWithWhatTheyTakeBesides() {
        for (int i = 0; i < 10_000; i++) {
            answers.put(Trial.key(), settled(1, LONG), LONG, time.nanos());
        }

        assertThat(answers.size()).isBetween(1_000L, 4_000L);
    }

    @Test
    void anAnswerLargerThanEverythingIsNotKeptAndNothingElseIsLost() {
        Key small = Trial.key();
        answers.put(small, settled(10, LONG), LONG, time.nanos());
        Key large = Trial.key();
        answers.put(large, settled(2 << 20, LONG), LONG, time.nanos());

        assertThat(answers.get(large)).isEmpty();
        assertThat(answers.get(small)).isPresent();
    }

    @Test
    void eachAnswerHasItsOwnEnd() {
        Key soon = Trial.key();
        Key late = Trial.key();
        answers.put(soon, settled(1, Duration.ofSeconds(10)), LONG, time.nanos());
        answers.put(late, settled(1, LONG), Duration.ofSeconds(20), time.nanos());

        time.pause(Duration.ofSeconds(10));
        assertThat(answers.get(soon)).isEmpty();
        assertThat(answers.get(late).orElseThrow().remaining()).isEqualTo(LONG.minusSeconds(10));
        time.pause(Duration.ofSeconds(10));
        assertThat(answers.get(late)).isEmpty();
    }

    @Test
    void anUnendingAnswerStaysUnending() {
        Key key = Trial.key();
        answers.put(key, settled(1, Retention.FOREVER), LONG, time.nanos());
        time.pause(Duration.ofHours(1));

        assertThat(answers.get(key).orElseThrow().remaining()).isEqualTo(Retention.FOREVER);
    }

    @Test
    void whoSpoilsAnAnswerSpoilsItForNobodyElse() {
        Key key = Trial.key();
        Claim.Settled mine = Trial.settled("done");
        answers.put(key, mine, LONG, time.nanos());
        Arrays.fill(mine.result(), (byte) 0);
        Arrays.fill(answers.get(key).orElseThrow().result(), (byte) 0);

        assertThat(answers.get(key).orElseThrow().result()).isEqualTo(Trial.bytes("done"));
    }

    private static Claim.Settled settled(int bytes, Duration remaining) {
        return new Claim.Settled(Trial.ASKED, new byte[bytes], remaining);
    }
}
