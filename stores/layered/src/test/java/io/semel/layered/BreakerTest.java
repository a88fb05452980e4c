// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import io.semel.layered.Breaker.Notice;
import io.semel.store.Claim;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a place is left alone, and when it is tried again. */
class BreakerTest {

    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    private final Sick place = new Sick(time);
    private final List<Notice> notices = new ArrayList<>();
    private final Breaker breaker =
            Breaker.around(place).opening(3, PAUSE).telling(notices::add).timedBy(time);
    private final Key key = Trial.key();

    @Test
    void aPlaceThatFailsHasNothing() {
        place.sick = true;

        assertThat(breaker.get(key)).isEmpty();
        assertThat(breaker.getAll(List.of(key, Trial.key()))).containsExactly(Optional.empty(), Optional.empty());
        assertThat(notices).hasOnlyElementsOfType(Notice.Failed.class).hasSize(2);
        assertThat(breaker.isOpen()).isFalse();
    }

    @Test
    void afterSomeFailuresInARowItIsNotAskedAnyMore() {
        place.sick = true;
        ask(100);

        assertThat(place.asked).isEqualTo(3);
        assertThat(breaker.isOpen()).isTrue();
        assertThat(notices).hasSize(4).last().isInstanceOf(Notice.Opened.class);
    }

    @Test
    void aSuccessInBetweenStartsTheCountAgain() {
        for (int i = 0; i < 20; i++) {
            place.sick = i % 3 != 2;
            breaker.get(key);
        }

        assertThat(place.asked).isEqualTo(20);
        assertThat(breaker.isOpen()).isFalse();
    }

    @Test
    void afterAPauseItIsTriedOnceAndLeftAloneAgainIfItFails() {
        place.sick = true;
        ask(3);
        time.pause(PAUSE);
        ask(100);
        assertThat(place.asked).isEqualTo(4);
        time.pause(PAUSE.minusNanos(1));
        ask(100);

        assertThat(place.asked).isEqualTo(4);
    }

    @Test
    void afterAPauseItIsUsedAgainIfItAnswersAndWhatWasSparedIsTold() {
        place.sick = true;
        ask(13);
        place.sick = false;
        time.pause(PAUSE);
        ask(5);

        assertThat(place.asked).isEqualTo(8);
        assertThat(notices).last().isEqualTo(new Notice.Closed(10));
    }

    /** The one that tries may have to wait for a time-out; the others need not. */
    @Test
    void whileOneTriesOthersDoNotWaitForIt() {
        place.sick = true;
        ask(3);
        time.pause(PAUSE);
        List<Integer> asked = new ArrayList<>();
        place.meanwhile = () -> {
            ask(10);
            asked.add(place.asked);
        };
        ask(1);

        assertThat(asked).containsExactly(4);
    }

    @Test
    void forgettingIsTriedAlwaysAndItsFailureTold() {
        place.sick = true;
        ask(3);
        breaker.forget(key);

        assertThat(place.asked).isEqualTo(4);
        assertThat(notices)
                .last()
                .isInstanceOfSatisfying(
                        Notice.NotForgotten.class,
                        notice -> assertThat(notice.key()).isEqualTo(key));
    }

    @Test
    void aListenerThatThrowsChangesNothing() {
        Breaker loud = breaker.telling(notice -> {
            throw new IllegalStateException("The listener of this test throws.");
        });
        place.sick = true;

        assertThat(loud.get(key)).isEmpty();
    }

    @Test
    void aBreakerAroundABreakerIsTheSame() {
        assertThat(Breaker.around(breaker)).isSameAs(breaker);
    }

    @Test
    void itOpensAfterAtLeastOneFailure() {
        assertThatThrownBy(() -> breaker.opening(0, PAUSE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> breaker.opening(1, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    private void ask(int times) {
        for (int i = 0; i < times; i++) {
            breaker.get(key);
        }
    }

    /** A place that can be asked or not, and counts how often it was. */
    private static final class Sick implements Answers {

        private final Answers place;
        private Runnable meanwhile = () -> {};
        private boolean sick;
        private int asked;

        Sick(ManualTime time) {
            this.place = NearAnswers.ofBytes(1 << 20, time);
        }

        private void ask() {
            asked++;
            Runnable now = meanwhile;
            meanwhile = () -> {};
            now.run();
            if (sick) {
                throw new IllegalStateException("This place is sick.");
            }
        }

        @Override
        public Optional<Claim.Settled> get(Key key) {
            ask();
            return place.get(key);
        }

        @Override
        public List<Optional<Claim.Settled>> getAll(List<Key> keys) {
            ask();
            return Answers.super.getAll(keys);
        }

        @Override
        public void put(Key key, Claim.Settled settled, Duration freshFor, long asked) {
            ask();
            place.put(key, settled, freshFor, asked);
        }

        @Override
        public void forget(Key key) {
            ask();
            place.forget(key);
        }
    }
}
