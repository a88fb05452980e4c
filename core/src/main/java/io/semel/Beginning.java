// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One call on its way to an attempt or an answer. */
final class Beginning<T extends @Nullable Object> {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final int MOST_DOUBLINGS = 7;

    private final Engine engine;
    private final Operation operation;
    private final Call call;
    private final Key key;
    private final Codec<T> codec;
    private final Time time;
    private final long start;
    private String holder;

    Beginning(Engine engine, Call call, Codec<T> codec) {
        this.engine = engine;
        this.operation = engine.operation();
        this.call = call;
        this.key = call.key();
        this.codec = codec;
        this.time = engine.time();
        this.start = time.nanos();
        this.holder = engine.inFlight().newHolder();
    }

    Begun<T> begin() {
        boolean outdated = isOutdated();
        if (outdated && engine.store().peek(key).isEmpty()) {
            return refused(Outcome.Reason.GONE);
        }
        return follow(claim(), outdated);
    }

    /** What {@link #begin} would ask the store first, for those who ask for many. */
    Store.Claiming asked() {
        return new Store.Claiming(call, holder, operation.lease());
    }

    /** Whether {@link #follow} would neither wait nor ask the store again. */
    boolean endsWith(Claim claim) {
        Decision decision = Decision.on(call, claim);
        return decision instanceof Decision.Run run
                ? !run.abandoned()
                : !(decision instanceof Decision.Wait) || left() <= 0;
    }

    /** Goes on with what the store said to {@link #asked}. */
    Begun<T> follow(Claim first, boolean outdated) {
        Claim claim = first;
        for (int round = 0; ; round++) {
            Begun<T> begun = follow(Decision.on(call, claim), round, outdated);
            if (begun != null) {
                return begun;
            }
            holder = engine.inFlight().newHolder();
            claim = claim();
        }
    }

    /** Null means: ask again. */
    private @Nullable Begun<T> follow(Decision decision, int round, boolean outdated) {
        if (decision instanceof Decision.Run run) {
            Running running = new Running(engine, call, holder, run, claiming());
            return start(engine.inFlight().add(running), outdated);
        }
        return decision instanceof Decision.Wait wait ? await(wait, round) : answer(decision);
    }

    private Claim claim() {
        try {
            return engine.store().claim(call, holder, operation.lease());
        } catch (RuntimeException e) {
            return claimAgain(e);
        }
    }

    /** The claim may have been granted without our hearing of it; the same holder may ask again and is told the same (S13). */
    private Claim claimAgain(RuntimeException cause) {
        boolean certain = cause instanceof StoreException known && known.changedNothing();
        if (!certain && engine.store().level() != Level.JOINED) {
            try {
                return engine.store().claim(call, holder, operation.lease());
            } catch (RuntimeException e) {
                Suppressed.into(cause, e);
            }
        }
        engine.tell(new Event.ClaimFailed(operation.name(), key, cause));
        throw cause;
    }

    private Begun<T> start(Running running, boolean outdated) {
        if (outdated) {
            return refuseLate(running);
        }
        return running.abandoned() ? takeOver(running) : new Begun.Started<>(running, codec);
    }

    /** Something was known a moment ago. It was abandoned, and stays so, or it was forgotten between the look and the claim. */
    private Begun<T> refuseLate(Running running) {
        if (running.abandoned()) {
            running.abandon();
        } else {
            running.release(null);
        }
        return refused(Outcome.Reason.GONE);
    }

    private Begun<T> takeOver(Running running) {
        engine.tell(new Event.Abandoned(operation.name(), key, running.fence()));
        WhenAbandoned policy = operation.whenAbandoned();
        if (policy instanceof WhenAbandoned.Refuse) {
            running.hold("abandoned: its holder fell silent");
            return refused(Outcome.Reason.UNKNOWN);
        }
        if (policy instanceof WhenAbandoned.Reconcile reconcile) {
            return reconcile(running, reconcile.hook());
        }
        return new Begun.Started<>(running, codec);
    }

    private Begun<T> reconcile(Running running, WhenAbandoned.Hook hook) {
        WhenAbandoned.Verdict verdict;
        try {
            verdict = hook.ask(call, running);
        } catch (RuntimeException | Error e) {
            running.abandon();
            throw e;
        }
        if (verdict instanceof WhenAbandoned.Verdict.DidNotHappen) {
            return new Begun.Started<>(running, codec);
        }
        if (verdict instanceof WhenAbandoned.Verdict.Happened happened) {
            return answer(Decision.onResult(running.complete(happened.answer())));
        }
        running.abandon();
        return refused(Outcome.Reason.UNKNOWN);
    }

    /** Waits on the running call itself where it is in this process, else a little before the store is asked again. */
    private @Nullable Begun<T> await(Decision.Wait wait, int round) {
        Running local = engine.inFlight().find(key);
        if (local == null || !local.fingerprint().equals(call.fingerprint())) {
            return slept(pause(wait, round)) ? null : busy(wait);
        }
        if (!awaited(local)) {
            return busy(wait);
        }
        byte[] stored = local.ended().join();
        return stored.length == 0 ? null : answer(Decision.onResult(stored));
    }

    private boolean awaited(Running local) {
        try {
            return left() > 0 && time.await(local.ended(), Duration.ofNanos(left()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Doubles from round to round, with jitter; no longer than the budget, nor than the lease could last. */
    private long pause(Decision.Wait wait, int round) {
        long longest = FIRST_PAUSE.toNanos() << Math.min(round, MOST_DOUBLINGS);
        long spread = (long) (longest * (0.5 + time.jitter() / 2));
        long lapse = wait.remaining().plus(FIRST_PAUSE).toNanos();
        return Math.min(left(), Math.min(spread, lapse));
    }

    private boolean slept(long nanos) {
        try {
            if (nanos > 0) {
                time.sleep(Duration.ofNanos(nanos));
            }
            return nanos > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Begun<T> answer(Decision decision) {
        return decision instanceof Decision.Replay replay
                ? replayed(replay.stored())
                : refused(((Decision.Refuse) decision).reason());
    }

    private Begun<T> replayed(byte[] stored) {
        Frame frame = engine.frames().read(key, stored);
        Duration claiming = claiming();
        if (frame.kind() == Frame.Kind.REJECTED) {
            Rejection rejection = Frames.rejection(key, frame.body());
            engine.tell(new Event.Replayed(operation.name(), key, claiming));
            throw rejection;
        }
        T value = decode(frame.body());
        engine.tell(new Event.Replayed(operation.name(), key, claiming));
        return new Begun.Answered<>(new Outcome.Done<>(value, true));
    }

    private T decode(byte[] body) {
        try {
            return codec.decode(body);
        } catch (RuntimeException e) {
            throw new UnreadableAnswer(
                    "The stored answer of " + key + " cannot be decoded by the codec of operation '" + operation.name()
                            + "'; if the codec changed, it must still read what it wrote before.",
                    e);
        }
    }

    private Begun<T> refused(Outcome.Reason reason) {
        engine.tell(new Event.WasRefused(operation.name(), key, reason));
        return new Begun.Answered<>(new Outcome.Refused<>(reason));
    }

    private Begun<T> busy(Decision.Wait wait) {
        engine.tell(new Event.WasBusy(operation.name(), key, engine.since(start)));
        Duration retryAfter = operation.retryAfter();
        boolean lapsesSooner = wait.remaining().compareTo(retryAfter) < 0;
        return new Begun.Answered<>(new Outcome.Busy<>(lapsesSooner ? wait.remaining() : retryAfter));
    }

    private long left() {
        return operation.busyBudget().toNanos() - (time.nanos() - start);
    }

    private Duration claiming() {
        return engine.listening() ? engine.since(start) : Duration.ZERO;
    }

    /** By its own time; refused where that has not come yet. */
    boolean isOutdated() {
        Instant born = operation.bornAt(call);
        if (born == null) {
            return false;
        }
        Instant now = engine.inFlight().storeTime();
        if (born.isAfter(now.plus(operation.skew()))) {
            throw new MalformedKey("The key " + key + " is dated " + born + ", which is more than " + operation.skew()
                    + " after the store's time, " + now + "; set the clock of whoever makes the keys.");
        }
        Duration retention = operation.retention().retention();
        return !retention.equals(Retention.FOREVER) && born.isBefore(now.minus(retention));
    }
}
