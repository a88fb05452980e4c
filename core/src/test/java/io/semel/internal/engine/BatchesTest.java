// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.LeaseLost;
import io.semel.Level;
import io.semel.MalformedKey;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Busy;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.StoreException;
import io.semel.WhenAbandoned;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.time.KeyTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many calls that begin with one question to the store, and end with one statement. */
class BatchesTest {

    private static final Codec<String> UTF8 = Codec.utf8();

    private final Counting store = new Counting();
    private final Engine engine = Engine.on(store);
    private final Deque<Runnable> others = new ArrayDeque<>();

    @Test
    void callsThatNobodyHasMadeStartWithOneQuestion() {
        List<Begun.Started<String>> started = started(begin("a", "b", "c"));

        assertThat(started).extracting(each -> each.attempt().key()).containsExactly(key("a"), key("b"), key("c"));
        assertThat(store.questions).isEqualTo(1);
        assertThat(others).isEmpty();
    }

    @Test
    void eachGetsWhatItWouldHaveGotAlone() {
        engine.run(call("done"), UTF8, attempt -> "first");
        engine.run(Call.of(key("other"), Fingerprint.of("900 EUR")), UTF8, attempt -> "first");
        engine.begin(call("busy"), UTF8);

        List<CompletableFuture<Begun<String>>> begun = begin("done", "new", "other", "busy", "new");

        assertThat(outcome(begun.get(0))).isEqualTo(new Done<>("first", true));
        assertThat(begun.get(1).join()).isInstanceOf(Begun.Started.class);
        assertThat(outcome(begun.get(2))).isEqualTo(new Refused<>(Reason.MISMATCH));
        assertThat(outcome(begun.get(3))).isInstanceOf(Busy.class);
        assertThat(outcome(begun.get(4))).isInstanceOf(Busy.class);
        assertThat(others).isEmpty();
    }

    @Test
    void whereTheQuestionFailsEachAsksForItself() {
        store.failAfterClaims = true;

        List<CompletableFuture<Begun<String>>> begun = begin("a", "b");
        assertThat(begun).noneMatch(CompletableFuture::isDone);
        assertThat(others).hasSize(2);
        others.forEach(Runnable::run);

        // Granted before nobody heard of it: only the same holder is granted it again.
        assertThat(started(begun)).hasSize(2);
    }

    @Test
    void whatIsAbandonedIsSeenToElsewhere() {
        started(begin("left")).get(0).abandon();
        Engine refusing = engine.with(Operation.named("payments").whenAbandoned(WhenAbandoned.refuse()));

        List<CompletableFuture<Begun<String>>> begun =
                refusing.beginAll(List.of(call("left"), call("new")), UTF8, others::add);

        assertThat(begun.get(1).join()).isInstanceOf(Begun.Started.class);
        assertThat(begun.get(0)).isNotDone();
        others.remove().run();
        assertThat(outcome(begun.get(0))).isEqualTo(new Refused<>(Reason.UNKNOWN));
    }

    @Test
    void aKeyFromTheFutureFailsAlone() {
        Engine dated = engine.with(Operation.named("payments").keyTime(KeyTime.NONE, Duration.ofMinutes(1)));
        Call future = call("future").firstSentAt(Instant.now().plus(Duration.ofDays(1)));

        List<CompletableFuture<Begun<String>>> begun = dated.beginAll(List.of(future, call("new")), UTF8, others::add);
        others.remove().run();

        assertThatThrownBy(() -> begun.get(0).join()).hasCauseInstanceOf(MalformedKey.class);
        assertThat(begun.get(1).join()).isInstanceOf(Begun.Started.class);
        assertThat(store.peek(future.key())).isEmpty();
    }

    @Test
    void answersAreRecordedWithOneStatement() {
        List<CompletableFuture<Done<String>>> done = complete(started(begin("a", "b")), others::add);

        assertThat(done).extracting(CompletableFuture::join).containsOnly(new Done<>("answer", false));
        assertThat(store.statements).isEqualTo(1);
        assertThat(outcome(begin("a").get(0))).isEqualTo(new Done<>("answer", true));
        assertThat(outcome(begin("b").get(0))).isEqualTo(new Done<>("answer", true));
    }

    @Test
    void oneThatLostItsSlotFailsAlone() {
        List<Begun.Started<String>> started = started(begin("lost", "kept", "ended"));
        store.settle(key("lost"), store.holder("lost"), started.get(0).attempt().fence(), new Settlement.Release());
        started.get(2).release();

        List<CompletableFuture<Done<String>>> done = complete(started, others::add);

        assertThatThrownBy(() -> done.get(0).join()).hasCauseInstanceOf(LeaseLost.class);
        assertThat(done.get(1).join()).isEqualTo(new Done<>("answer", false));
        assertThatThrownBy(() -> done.get(2).join()).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void whereTheStatementFailsEachFindsOutForItself() {
        List<Begun.Started<String>> started = started(begin("applied", "not"));
        store.failAfterSettles = 1;

        List<CompletableFuture<Done<String>>> done = complete(started, others::add);
        assertThat(done).noneMatch(CompletableFuture::isDone);
        others.forEach(Runnable::run);

        assertThat(done).extracting(CompletableFuture::join).containsOnly(new Done<>("answer", false));
        assertThat(outcome(begin("applied").get(0))).isEqualTo(new Done<>("answer", true));
        assertThat(outcome(begin("not").get(0))).isEqualTo(new Done<>("answer", true));
    }

    @Test
    void whatNobodyElseHasTimeForIsDoneHere() {
        List<Begun.Started<String>> started = started(begin("a"));
        store.failAfterSettles = 1;

        List<CompletableFuture<Done<String>>> done = complete(started, task -> {
            throw new RejectedExecutionException("busy");
        });

        assertThat(done.get(0).join()).isEqualTo(new Done<>("answer", false));
    }

    private static Call call(String name) {
        return Call.of(key(name), Fingerprint.of("500 EUR"));
    }

    private static Key key(String name) {
        return Key.of("payments", name);
    }

    private List<CompletableFuture<Begun<String>>> begin(String... names) {
        return engine.beginAll(Stream.of(names).map(BatchesTest::call).toList(), UTF8, others::add);
    }

    private static List<Begun.Started<String>> started(List<CompletableFuture<Begun<String>>> begun) {
        return begun.stream().map(each -> (Begun.Started<String>) each.join()).toList();
    }

    private static List<CompletableFuture<Done<String>>> complete(
            List<Begun.Started<String>> started, Executor others) {
        return Begun.Started.completeAll(
                started.stream()
                        .map(each -> new Begun.Completing<>(each, "answer"))
                        .toList(),
                others);
    }

    private static Outcome<String> outcome(CompletableFuture<Begun<String>> begun) throws CompletionException {
        return ((Begun.Answered<String>) begun.join()).outcome();
    }

    /** Counts what it is asked together, and loses its answer where a test says so. */
    private static final class Counting implements Store {

        private final MemoryStore store = new MemoryStore();
        private final List<Claiming> claimings = new ArrayList<>();
        private int questions;
        private int statements;
        private boolean failAfterClaims;
        private int failAfterSettles = Integer.MAX_VALUE;

        String holder(String name) {
            return claimings.stream()
                    .filter(each -> each.call().key().equals(key(name)))
                    .findFirst()
                    .orElseThrow()
                    .holder();
        }

        @Override
        public List<Claim> claimAll(List<Claiming> all) {
            questions++;
            claimings.addAll(all);
            List<Claim> claims = Store.super.claimAll(all);
            if (failAfterClaims) {
                throw new StoreException("The connection was lost.", null);
            }
            return claims;
        }

        @Override
        public List<Boolean> settleAll(List<Settling> all) {
            statements++;
            List<Boolean> applied = Store.super.settleAll(all.subList(0, Math.min(all.size(), failAfterSettles)));
            if (failAfterSettles <= all.size()) {
                throw new StoreException("The connection was lost.", null);
            }
            return applied;
        }

        @Override
        public Level level() {
            return store.level();
        }

        @Override
        public Instant now() {
            return store.now();
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            return store.claim(call, holder, lease);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return store.settle(key, holder, fence, settlement);
        }

        @Override
        public Optional<Claim> peek(Key key) {
            return store.peek(key);
        }
    }
}
