// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.StoreException;
import io.semel.store.Slot;
import io.semel.testkit.ForwardingStore;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Dated calls on a machine that was suspended: its monotonic clock stood still while the store's time went on. */
class SuspendedTest extends EngineFixture {

    private static final Duration RETENTION = Duration.ofHours(1);
    private static final Operation DATED = Operation.named("dated").retention(RETENTION, Duration.ZERO);

    private final Told told = new Told();
    private final Engine suspended =
            Engine.on(told, new ManualTime()).with(DATED).withListener(events::add);
    private final Deque<Runnable> others = new ArrayDeque<>();

    @Test
    void whatWasPurgedMeanwhileDoesNotRunAgainAndLeavesNothing() {
        Call call = call("a");
        run(call);
        time.advance(RETENTION.multipliedBy(2));
        store.purge(100);

        assertThat(run(call)).isEqualTo(new Refused<>(Reason.GONE));
        assertThat(runs).hasValue(1);
        assertThat(store.look(call.key())).isEmpty();
    }

    @Test
    void whatWasAbandonedStaysSo() {
        run(call("any"));
        Call call = call("a");
        store.claim(call, "a holder that vanishes", LEASE);
        time.advance(RETENTION.multipliedBy(2));

        assertThat(run(call)).isEqualTo(new Refused<>(Reason.GONE));
        assertThat(store.look(call.key()).orElseThrow().state()).isEqualTo(Slot.State.LAPSED);
    }

    @Test
    void manyAreJudgedByOneQuestion() {
        run(call("any"));
        List<Call> calls = List.of(call("a"), call("b"), call("c"));
        told.questions = 0;

        assertThat(begin(calls)).allMatch(begun -> begun.join() instanceof Begun.Started);
        assertThat(told.questions).isEqualTo(1);
    }

    @Test
    void manyThatArePastAreRefusedEach() {
        run(call("any"));
        List<Call> calls = List.of(call("a"), call("b"));
        time.advance(RETENTION.multipliedBy(2));

        List<CompletableFuture<Begun<String>>> begun = begin(calls);
        others.forEach(Runnable::run);

        assertThat(begun)
                .extracting(each -> ((Begun.Answered<String>) each.join()).outcome())
                .containsOnly(new Refused<>(Reason.GONE));
        assertThat(store.count().held()).isZero();
    }

    @Test
    void aReplayAsksForNoTime() {
        Call call = call("a");
        run(call);
        told.questions = 0;

        assertThat(run(call)).isEqualTo(new Done<>("run 1", true));
        assertThat(told.questions).isZero();
    }

    @Test
    void aGrantWhoseAgeCannotBeToldIsGivenBackAndTheCallerHearsOfIt() {
        run(call("any"));
        Call call = call("a");
        told.fails = true;

        assertThatThrownBy(() -> run(call)).isInstanceOf(StoreException.class).hasMessage("no time");
        assertThat(store.look(call.key())).isEmpty();
        told.fails = false;
        assertThat(run(call)).isEqualTo(new Done<>("run 2", false));
    }

    @Test
    void whereTheQuestionForManyFailsEachAsksForItself() {
        run(call("any"));
        told.fails = true;

        List<CompletableFuture<Begun<String>>> begun = begin(List.of(call("a"), call("b")));
        told.fails = false;
        others.forEach(Runnable::run);

        assertThat(begun).allMatch(each -> each.join() instanceof Begun.Started);
    }

    private Outcome<String> run(Call call) {
        return suspended.run(call, UTF8, this::countedRun);
    }

    private List<CompletableFuture<Begun<String>>> begin(List<Call> calls) {
        return suspended.beginAll(calls, UTF8, others::add);
    }

    private Call call(String id) {
        return Call.of(Key.of("payments", id), Fingerprint.none()).firstSentAt(store.now());
    }

    /** Counts how often it is asked for the time. */
    private final class Told extends ForwardingStore {

        private int questions;
        private boolean fails;

        Told() {
            super(SuspendedTest.this.store);
        }

        @Override
        public Instant now() {
            questions++;
            if (fails) {
                throw new StoreException("no time", null);
            }
            return super.now();
        }
    }
}
