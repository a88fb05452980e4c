// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One attempt in flight in this process: it holds the slot until it is ended, once. */
final class Running implements Attempt {

    /** What waiters get when there is no answer to share, so that they ask the store. */
    static final byte[] NOTHING = {};

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final int MOST_WHY = 500;

    private final Engine engine;
    private final Store store;
    private final Call call;
    private final Key key;
    private final String holder;
    private final long fence;
    private final boolean abandoned;
    private final Duration claiming;
    private final long start;
    private final CompletableFuture<byte[]> ended = new CompletableFuture<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final AtomicBoolean lost = new AtomicBoolean();

    /** Whether the store took the effect back. */
    private volatile boolean undone;

    // The heartbeat's own notes.
    volatile long due;
    volatile boolean renewAlone;

    Running(Engine engine, Call call, String holder, Decision.Run run, Duration claiming) {
        this.engine = engine;
        this.store = engine.store();
        this.call = call;
        this.key = call.key();
        this.holder = holder;
        this.fence = run.fence();
        this.abandoned = run.abandoned();
        this.claiming = claiming;
        this.start = now();
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
        return Derived.key(engine.secret(), key, name);
    }

    @Override
    public void renew() {
        if (!store.settle(key, holder, fence, renewal())) {
            throw lost();
        }
    }

    /** Ends the attempt with an answer, of which the store has still to be told. */
    <T extends @Nullable Object> Completion completion(T value, Codec<T> codec) {
        end();
        long worked = now();
        byte[] stored;
        Throwable failure = null;
        try {
            stored = answer(codec.encode(value));
        } catch (Throwable e) {
            // The effect has happened: whatever went wrong with its answer, the key must not become free.
            failure = e;
            stored = notRetained(-1, e);
        }
        return new Completion(completed(stored), worked, failure);
    }

    /** Completes with an answer that somebody else encoded, and gives what was stored. */
    byte[] complete(byte[] body) {
        end();
        byte[] stored = answer(body);
        settle(completed(stored));
        return stored;
    }

    void reject(Rejection rejection) {
        end();
        long worked = now();
        byte[] body = Frames.rejection(rejection);
        settle(completed(write(Frame.Kind.REJECTED, body)));
        tellExecuted(true, worked);
    }

    void hold(String why) {
        end();
        String reason = why.length() > MOST_WHY ? why.substring(0, MOST_WHY) : why;
        byte[] stored = write(Frame.Kind.UNKNOWN, Frames.unknown(fence, reason));
        settle(new Settlement.Complete(stored, Retention.UNENDING));
        engine.tell(new Event.Unknown(engine.operation().name(), key, fence, reason));
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

    /** Gives the slot up as it was found, abandoned; if that does not get through, the lease runs out by itself. */
    void abandon() {
        end();
        try {
            store.settle(key, holder, fence, new Settlement.Renew(Duration.ZERO));
        } catch (RuntimeException e) {
            tellSettleFailed(e);
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
        return new Settlement.Complete(stored, engine.operation().retention());
    }

    private byte[] answer(byte[] body) {
        return body.length > engine.operation().maxAnswer()
                ? notRetained(body.length, null)
                : write(Frame.Kind.VALUE, body);
    }

    private byte[] notRetained(long bytes, @Nullable Throwable cause) {
        engine.tell(new Event.NotRetained(engine.operation().name(), key, fence, bytes, cause));
        return write(Frame.Kind.NOT_RETAINED, Frames.notRetained(fence, bytes));
    }

    private byte[] write(Frame.Kind kind, byte[] body) {
        return engine.frames().write(key, kind, body, engine.operation().compressAbove());
    }

    private Settlement.Renew renewal() {
        return new Settlement.Renew(lease());
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
            if (failure instanceof Error error) {
                throw error;
            }
        }
    }
}
