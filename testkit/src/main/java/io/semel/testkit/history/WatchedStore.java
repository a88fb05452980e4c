// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.history;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.history.SlotOperation.Peeking;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A handle that writes down what is done through it. */
final class WatchedStore implements Store {

    private final Store store;
    private final History history;

    WatchedStore(Store store, History history) {
        this.store = store;
        this.history = history;
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
        List<Claiming> one = List.of(new Claiming(call, holder, lease));
        return watchClaims(one, () -> List.of(store.claim(call, holder, lease))).get(0);
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        return watchClaims(claimings, () -> store.claimAll(claimings));
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        List<Settling> one = List.of(new Settling(key, holder, fence, settlement));
        return watchSettles(one, () -> List.of(store.settle(key, holder, fence, settlement)))
                .get(0);
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return watchSettles(settlings, () -> store.settleAll(settlings));
    }

    @Override
    public Optional<Claim> peek(Key key) {
        long began = history.tick();
        Optional<Claim> answer = store.peek(key);
        history.record(key, began, history.tick(), new Peeking(answer.orElse(null)));
        return answer;
    }

    private List<Claim> watchClaims(List<Claiming> claimings, Supplier<List<Claim>> action) {
        return watch(claimings, action, (claiming, answer, began, ended) -> {
            Call call = claiming.call();
            history.record(
                    call.key(),
                    began,
                    ended,
                    new SlotOperation.Claiming(call.fingerprint(), claiming.holder(), claiming.lease(), answer));
        });
    }

    private List<Boolean> watchSettles(List<Settling> settlings, Supplier<List<Boolean>> action) {
        return watch(settlings, action, (settling, applied, began, ended) -> {
            SlotOperation operation =
                    new SlotOperation.Settling(settling.holder(), settling.fence(), settling.settlement(), applied);
            history.record(settling.key(), began, ended, operation);
        });
    }

    private <Q, A> List<A> watch(List<Q> questions, Supplier<List<A>> action, Note<Q, A> note) {
        long began = history.tick();
        List<? extends @Nullable A> answers = Collections.nCopies(questions.size(), null);
        long ended = Long.MAX_VALUE;
        boolean happened = true;
        try {
            List<A> given = action.get();
            answers = given;
            ended = history.tick();
            return given;
        } catch (StoreException e) {
            happened = !e.changedNothing();
            throw e;
        } finally {
            for (int i = 0; happened && i < questions.size(); i++) {
                note.add(questions.get(i), answers.get(i), began, ended);
            }
        }
    }

    private interface Note<Q, A> {

        void add(Q question, @Nullable A answer, long began, long ended);
    }
}
