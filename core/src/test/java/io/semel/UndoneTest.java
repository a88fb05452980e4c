// SPDX-License-Identifier: Apache-2.0
package io.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A store that commits effect and record together, and sometimes has to take both back. */
class UndoneTest {

    private static final Call CALL = Call.of(Key.of("payments", "order-1"), Fingerprint.of("500 EUR"));

    private final List<String> runs = new ArrayList<>();
    private final Transacting store = new Transacting();
    private final Engine engine = Engine.on(store);

    @Test
    void aCallThatWasUndoneBeginsAgain() {
        store.undo = 2;

        assertThat(run("done")).isEqualTo(new Outcome.Done<>("done", false));
        assertThat(runs).hasSize(3);
    }

    @Test
    void aCallThatWasUndoneByAnotherGetsThatOnesAnswer() {
        store.undo = 1;
        store.whenUndone = () -> run("done by another");

        assertThat(run("done")).isEqualTo(new Outcome.Done<>("done by another", true));
    }

    @Test
    void aCallThatIsUndoneAgainAndAgainIsGivenUp() {
        store.undo = Integer.MAX_VALUE;

        assertThatThrownBy(() -> run("done")).isInstanceOf(StoreException.class).hasMessage("Somebody was faster.");
        assertThat(runs).hasSize(3);
    }

    @Test
    void aRejectionThatWasUndoneIsMadeAgain() {
        store.undo = 1;
        Rejection rejection = new Rejection("no-funds", "There is not enough on the account.");

        assertThatThrownBy(() -> engine.run(CALL, Codec.utf8(), attempt -> {
                    runs.add("rejected");
                    throw rejection;
                }))
                .isSameAs(rejection);
        assertThat(runs).hasSize(2);
    }

    @Test
    void whatTheWorkItselfThrowsIsNeverTakenForThat() {
        StoreException nested = StoreException.undone("Another store says so.", null);

        assertThatThrownBy(() -> engine.run(CALL, Codec.utf8(), attempt -> {
                    runs.add("failed");
                    throw nested;
                }))
                .isSameAs(nested);
        assertThat(runs).hasSize(1);
    }

    @Test
    void aJoinedStoreIsTakenForOneWhoseCallerCommitsUnlessItSaysOtherwise() {
        assertThat(store.commits()).isTrue();
        assertThat(new Joined().commits()).isFalse();
    }

    private Outcome<String> run(String answer) {
        return engine.run(CALL, Codec.utf8(), attempt -> {
            runs.add(answer);
            return answer;
        });
    }

    /** Joined, and the caller commits. */
    private static class Joined implements Store {

        private final MemoryStore inner = new MemoryStore();

        @Override
        public Level level() {
            return Level.JOINED;
        }

        @Override
        public Instant now() {
            return inner.now();
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            return inner.claim(call, holder, lease);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return inner.settle(key, holder, fence, settlement);
        }

        @Override
        public Optional<Claim> peek(Key key) {
            return inner.peek(key);
        }
    }

    /** Joined, and commits by itself, except for the times that it has to undo. */
    private static final class Transacting extends Joined {

        private int undo;
        private Runnable whenUndone = () -> {};

        @Override
        public boolean commits() {
            return true;
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            if (settlement instanceof Settlement.Complete && undo > 0) {
                undo--;
                super.settle(key, holder, fence, new Settlement.Release());
                whenUndone.run();
                throw StoreException.undone("Somebody was faster.", null);
            }
            return super.settle(key, holder, fence, settlement);
        }
    }
}
