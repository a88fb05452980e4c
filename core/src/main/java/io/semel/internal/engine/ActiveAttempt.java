// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.AnswerKind;
import io.semel.Attempt;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Event;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.LeaseLost;
import io.semel.Level;
import io.semel.OutcomeUnknown;
import io.semel.Rejection;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.internal.Suppressed;
import io.semel.internal.frame.AnswerOrigin;
import io.semel.internal.frame.Frames;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One attempt in flight in this process: it holds the slot until it is ended, once. */
final class ActiveAttempt implements Attempt {

    /** What waiters get when there is no answer to share, so that they ask the store. */
    static final byte[] NOTHING = {};

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final int MOST_WHY = 500;

    private final EngineContext engine;
    private final Store store;
    private final Call call;
    private final Key key;
    private final String holder;
    private final long fence;
    private final boolean abandoned;
    private final AnswerOrigin origin;
    private final Duration claiming;
    private final long start;
    private final CompletableFuture<byte[]> ended = new CompletableFuture<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final AtomicBoolean lost = new AtomicBoolean();

    /** When it began, or its work last renewed it. */
    private volatile long heard;

    /** Whether the store took the effect back. */
    private volatile boolean undone;

    // The heartbeat's own notes; all but the first only under its lock.
    volatile long due = Long.MAX_VALUE;

    @Nullable
    Renewal renewal;

    boolean renewAlone;
    boolean hangs;
    boolean toldOfHanging;

    ActiveAttempt(
            EngineContext engine, Call call, String holder, Decision.Run run, AnswerOrigin origin, Duration claiming) {
        this.engine = engine;
        this.store = engine.store();
        this.call = call;
        this.key = call.key();
        this.holder = holder;
        this.fence = run.fence();
        this.abandoned = run.abandoned();
        this.origin = origin;
        this.claiming = claiming;
        this.start = now();
        this.heard = start;
    }

    @Override
    public Key key() {
        return key;
    }

    @Override
    public long fence() {
        return fence;
    }

    @Override
    public boolean abandoned() {
        return abandoned;
    }

    @Override
    public String derive(String name) {
        return DerivedKeys.key(engine.derivationSecret(), key, name);
    }

    @Override
    public void renew() {
        if (!store.settle(key, holder, fence, renewal())) {
            throw lost();
        }
        heard = now();
    }

    /** Ends the attempt with an answer, of which the store has still to be told. */
    <T extends @Nullable Object> Completion completion(T value, Codec<T> codec) {
        return ending(() -> answer(codec.encode(value)), false);
    }

    /** Completes with an answer that somebody else encoded, and gives what was stored. */
    byte[] complete(byte[] body) {
        Completion completion = ending(() -> answer(body), false);
        settle(completion.settlement);
        throwIfError(completion.failure);
        return completion.settlement.result();
    }

    void reject(Rejection rejection) {
        Completion completion = ending(() -> rejection(Frames.rejection(rejection)), true);
        settle(completion.settlement);
        tellExecuted(true, completion.worked);
        throwIfError(completion.failure);
    }

    private byte[] rejection(byte[] body) {
        return isTooLarge(body) ? notRetained(body.length, null, true) : write(AnswerKind.REJECTED, body);
    }

    private Completion ending(Supplier<byte[]> answer, boolean rejected) {
        end();
        return orLeave(() -> {
            long worked = now();
            byte[] stored;
            Throwable failure = null;
            try {
                stored = answer.get();
            } catch (Throwable e) {
                // It has happened, or was refused for good: whatever went wrong with writing that down, the key must
                // not become free.
                failure = e;
                stored = notRetained(-1, e, rejected);
            }
            return new Completion(completed(stored), worked, failure);
        });
    }

    /** What throws after the end and before the store is told leaves the slot to its lease (E12). */
    private <T> T orLeave(Supplier<T> prepared) {
        try {
            return prepared.get();
        } catch (Throwable e) {
            leave(NOTHING);
            throw e;
        }
    }

    private static void throwIfError(@Nullable Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
    }

    /** @param ran whether whoever ran it says so */
    void hold(String why, boolean ran) {
        String reason = cut(why);
        end();
        byte[] stored = orLeave(() -> write(AnswerKind.UNKNOWN, Frames.unknown(fence, reason)));
        settle(new Settlement.Complete(stored, Retention.UNENDING));
        engine.tell(new Event.Unknown(engine.operation().name(), key, fence, reason, ran));
    }

    void release(@Nullable Throwable cause) {
        end();
        boolean applied;
        try {
            applied = store.settle(key, holder, fence, new Settlement.Release());
        } catch (RuntimeException | Error e) {
            tellSettleFailed(e);
            throw e;
        } finally {
            leave(NOTHING);
        }
        if (!applied) {
            throw lost();
        }
        engine.tell(new Event.Released(engine.operation().name(), key, fence, cause));
    }

    /** {@link #abandon()}, by whoever ran it. */
    void giveUp(String why) {
        if (abandon()) {
            engine.tell(new Event.GivenUp(engine.operation().name(), key, fence, cut(why)));
        }
    }

    private static String cut(String why) {
        return why.length() > MOST_WHY ? why.substring(0, MOST_WHY) : why;
    }

    /** Gives the slot up as it was found, abandoned; if that does not get through, which is told, the lease runs out by itself. */
    boolean abandon() {
        end();
        try {
            store.settle(key, holder, fence, new Settlement.Renew(Duration.ZERO));
            return true;
        } catch (RuntimeException e) {
            tellSettleFailed(e);
            return false;
        } finally {
            leave(NOTHING);
        }
    }

    /** Completes when the attempt has ended: with what was stored, or {@link #NOTHING}. */
    CompletableFuture<byte[]> ended() {
        return ended;
    }

    boolean isUndone() {
        return undone;
    }

    Fingerprint fingerprint() {
        return call.fingerprint();
    }

    Duration lease() {
        return engine.operation().lease();
    }

    Store.Settling heartbeat() {
        return new Store.Settling(key, holder, fence, renewal());
    }

    /** A renewal that does not apply to an attempt that is ending says only that the ending came first. */
    void renewRefused() {
        if (!ending.get()) {
            tellLost();
            leave(NOTHING);
        }
    }

    /** Whether it was renewed for as long as its operation allows, without a word of its work. */
    boolean isOverdue() {
        Duration renewFor = engine.operation().renewFor();
        Duration longest = renewFor.compareTo(lease()) < 0 ? lease() : renewFor;
        return now() - heard >= longest.toNanos();
    }

    void tellOverdue() {
        if (!ending.get()) {
            engine.tell(new Event.Overdue(engine.operation().name(), key, fence, Duration.ofNanos(now() - start)));
        }
    }

    void renewFailed(Throwable cause) {
        engine.tell(new Event.RenewFailed(engine.operation().name(), key, fence, cause));
    }

    private void settle(Settlement.Complete settlement) {
        settle(settlement, () -> store.settle(key, holder, fence, settlement));
    }

    private void settle(Settlement.Complete settlement, BooleanSupplier told) {
        boolean applied = false;
        try {
            applied = settled(settlement, told);
        } finally {
            leave(applied ? settlement.result() : NOTHING);
        }
        if (!applied) {
            throw lost();
        }
    }

    private boolean settled(Settlement.Complete settlement, BooleanSupplier told) {
        try {
            return told.getAsBoolean();
        } catch (RuntimeException e) {
            if (store.level() == Level.JOINED) {
                undone = e instanceof StoreException known && known.undone();
                tellSettleFailed(e);
                throw e;
            }
            return confirmed(settlement, e);
        }
    }

    /** Not knowing whether a settle applied, says it again and looks, as long as the lease can be trusted to last. */
    private boolean confirmed(Settlement.Complete settlement, RuntimeException cause) {
        long deadline = now() + lease().dividedBy(3).toNanos();
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                return store.settle(key, holder, fence, settlement) || isRecorded(settlement.result());
            } catch (RuntimeException again) {
                Suppressed.into(cause, again);
            }
            if (now() + pause.toNanos() > deadline || !slept(pause)) {
                tellSettleFailed(cause);
                throw new OutcomeUnknown(key, fence, cause);
            }
            pause = pause.multipliedBy(2);
        }
    }

    private boolean isRecorded(byte[] result) {
        Optional<Claim> seen = store.peek(key);
        return seen.isPresent()
                && seen.get() instanceof Claim.Settled settled
                && Arrays.equals(result, settled.result());
    }

    private boolean slept(Duration pause) {
        try {
            engine.time().sleep(pause);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Settlement.Complete completed(byte[] stored) {
        return new Settlement.Complete(stored, KeyAge.retention(engine.operation(), call));
    }

    private byte[] answer(byte[] body) {
        return isTooLarge(body) ? notRetained(body.length, null, false) : write(AnswerKind.VALUE, body);
    }

    private boolean isTooLarge(byte[] body) {
        return body.length > engine.operation().maxAnswer();
    }

    private byte[] notRetained(long bytes, @Nullable Throwable cause, boolean rejected) {
        engine.tell(new Event.NotRetained(engine.operation().name(), key, fence, bytes, cause));
        return write(AnswerKind.NOT_RETAINED, Frames.notRetained(fence, bytes, rejected));
    }

    private byte[] write(AnswerKind kind, byte[] body) {
        return engine.frames().write(key, kind, origin, body, engine.operation().compressAbove());
    }

    private Settlement.Renew renewal() {
        return new Settlement.Renew(lease());
    }

    /** Takes no part any more, and is not renewed; whoever waits for it asks the store. */
    void leave() {
        leave(NOTHING);
    }

    private void end() {
        if (!ending.compareAndSet(false, true)) {
            throw new IllegalStateException("The attempt at " + key + " (fence " + fence + ") was ended before.");
        }
    }

    private void leave(byte[] stored) {
        engine.inFlight().remove(this);
        ended.complete(stored);
    }

    private LeaseLost lost() {
        tellLost();
        return new LeaseLost(key, fence);
    }

    private void tellLost() {
        if (lost.compareAndSet(false, true)) {
            engine.tell(new Event.LostLease(engine.operation().name(), key, fence));
        }
    }

    private void tellSettleFailed(Throwable cause) {
        engine.tell(new Event.SettleFailed(engine.operation().name(), key, fence, cause));
    }

    private void tellExecuted(boolean rejected, long worked) {
        if (engine.listening()) {
            engine.tell(new Event.Executed(
                    engine.operation().name(),
                    key,
                    fence,
                    rejected,
                    claiming,
                    Duration.ofNanos(worked - start),
                    Duration.ofNanos(now() - worked)));
        }
    }

    private long now() {
        return engine.time().nanos();
    }

    /** An answer on its way to the store. */
    final class Completion {

        private final Settlement.Complete settlement;
        private final long worked;
        private final @Nullable Throwable failure;

        Completion(Settlement.Complete settlement, long worked, @Nullable Throwable failure) {
            this.settlement = settlement;
            this.worked = worked;
            this.failure = failure;
        }

        Store store() {
            return store;
        }

        Store.Settling settling() {
            return new Store.Settling(key, holder, fence, settlement);
        }

        /** Tells the store. */
        void finish() {
            finish(() -> store.settle(key, holder, fence, settlement));
        }

        /** The store was told: whether it applied, or what it threw. */
        void finish(BooleanSupplier told) {
            settle(settlement, told);
            tellExecuted(false, worked);
            throwIfError(failure);
        }
    }
}
