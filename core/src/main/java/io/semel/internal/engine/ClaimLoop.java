// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.AnswerKind;
import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Event;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.StoreException;
import io.semel.UnreadableAnswer;
import io.semel.WhenAbandoned;
import io.semel.internal.Suppressed;
import io.semel.internal.frame.AnswerOrigin;
import io.semel.internal.frame.Frame;
import io.semel.internal.frame.Frames;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** One call on its way to an attempt or an answer. */
public final class ClaimLoop<T extends @Nullable Object> {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final int MOST_DOUBLINGS = 7;
    private static final int MOST_LATE = 16;

    private final EngineContext engine;
    private final Operation operation;
    private final Call call;
    private final Key key;
    private final Codec<T> codec;
    private final Time time;
    private final long start;
    private final AnswerOrigin origin;
    private final KeyAge age;
    private String holder;
    /** When the last claim was on its way: a lease may count from then. */
    private long asked;

    private boolean waits;

    public ClaimLoop(EngineContext engine, Call call, Codec<T> codec) {
        this.engine = engine;
        this.operation = engine.operation();
        this.call = engine.stored(call);
        this.key = call.key();
        this.codec = codec;
        this.time = engine.time();
        this.start = time.nanos();
        this.origin = new AnswerOrigin(codec.form(), operation.version());
        this.age = new KeyAge(engine, call);
        this.asked = start;
        this.holder = engine.inFlight().newHolder();
    }

    public Begun<T> begin() {
        boolean outdated = age.isOutdated();
        if (outdated && engine.store().peek(key).isEmpty()) {
            return refused(Outcome.Reason.GONE);
        }
        return follow(claim(), outdated, null);
    }

    /** Null if only a claim can tell, as where the slot is free or its holder fell silent. */
    public @Nullable Outcome<T> peek() {
        boolean outdated = age.isOutdated();
        for (int round = 0; ; round++) {
            Claim known = engine.store().peek(key).orElse(null);
            if (known == null) {
                return outdated ? outcome(refused(Outcome.Reason.GONE)) : null;
            }
            Decision decision = Decision.on(call, known);
            if (!(decision instanceof Decision.Wait wait)) {
                return outcome(answer(decision));
            }
            if (wait.remaining().isZero()) {
                return null;
            }
            Begun<T> begun = await(wait, round);
            if (begun != null) {
                return outcome(begun);
            }
        }
    }

    private static <T extends @Nullable Object> Outcome<T> outcome(Begun<T> begun) {
        return ((Begun.Answered<T>) begun).outcome();
    }

    /** What {@link #begin} would ask the store first, for those who ask for many. */
    Store.Claiming asked() {
        asked = time.nanos();
        return new Store.Claiming(call, holder, operation.lease());
    }

    Key key() {
        return key;
    }

    /** Whether nothing speaks against asking for it together with others. */
    boolean isUsual() {
        return age.isUsual();
    }

    /** Whether {@link #follow} needs the store's time. */
    boolean needsTime(Claim claim) {
        return claim instanceof Claim.Granted && age.isBounded();
    }

    /** Whether {@link #follow} would neither wait nor ask the store again. */
    boolean endsWith(Claim claim, @Nullable Instant now) {
        Decision decision = Decision.on(call, claim);
        return decision instanceof Decision.Run run
                ? !run.abandoned() && !isLate() && (!age.isBounded() || (now != null && !age.isOutdated(now)))
                : !(decision instanceof Decision.Wait) || left() <= 0;
    }

    /**
     * Goes on with what the store said to {@link #asked}.
     *
     * @param now the store's time, if it was asked for after that
     */
    Begun<T> follow(Claim first, boolean outdated, @Nullable Instant now) {
        Decision decision = Decision.on(call, first);
        if (!(decision instanceof Decision.Wait wait)) {
            return end(decision, outdated, now);
        }
        if (engine.store().commits()) {
            return waitFor(wait, outdated);
        }
        Semaphore waiters = engine.inFlight().waitersInTransactions();
        if (!waiters.tryAcquire()) {
            return busy(wait);
        }
        try {
            return waitFor(wait, outdated);
        } finally {
            waiters.release();
        }
    }

    private Begun<T> waitFor(Decision.Wait first, boolean outdated) {
        Decision.Wait wait = first;
        for (int round = 0; ; round++) {
            Begun<T> begun = await(wait, round);
            if (begun != null) {
                return begun;
            }
            holder = engine.inFlight().newHolder();
            Decision decision = Decision.on(call, claim());
            if (!(decision instanceof Decision.Wait again)) {
                return end(decision, outdated, null);
            }
            wait = again;
        }
    }

    private Begun<T> end(Decision decision, boolean outdated, @Nullable Instant now) {
        if (decision instanceof Decision.Run run) {
            if (run.abandoned() && !outdated) {
                engine.tell(new Event.Abandoned(operation.name(), key, run.fence()));
            }
            if (!stands(run)) {
                holder = engine.inFlight().newHolder();
                return follow(claim(), outdated, null);
            }
            ActiveAttempt running = new ActiveAttempt(engine, call, holder, run, origin, claiming());
            try {
                return start(engine.inFlight().add(running), outdated, now);
            } catch (Throwable e) {
                // Whatever failed on the way, nobody ends this attempt any more: its lease has to run out.
                running.leave();
                throw e;
            }
        }
        return answer(decision);
    }

    /**
     * Whether a grant is still ours: one that was long on its way, or waited here for a thread, may have lapsed and been given to
     * another. It is renewed before anything relies on it.
     */
    private boolean stands(Decision.Run run) {
        try {
            for (int late = 0; isLate(); late++) {
                asked = time.nanos();
                if (late == MOST_LATE) {
                    throw tooSlow(run);
                }
                if (!tell(run, new Settlement.Renew(operation.lease()))) {
                    return false;
                }
            }
            return true;
        } catch (RuntimeException e) {
            engine.tell(new Event.ClaimFailed(operation.name(), key, e));
            throw e;
        }
    }

    private StoreException tooSlow(Decision.Run run) {
        var unused = tell(run, run.abandoned() ? new Settlement.Renew(Duration.ZERO) : new Settlement.Release());
        return new StoreException(
                "The store takes longer than a third of a lease, " + operation.lease() + ", to answer about " + key
                        + "; make the lease longer than the store may take.",
                null);
    }

    private boolean tell(Decision.Run run, Settlement settlement) {
        return engine.store().settle(key, holder, run.fence(), settlement);
    }

    /** After a third of the lease, when a heartbeat would be due. */
    private boolean isLate() {
        return engine.store().level() != Level.JOINED
                && time.nanos() - asked > operation.lease().toNanos() / 3;
    }

    private Claim claim() {
        asked = time.nanos();
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
            asked = time.nanos();
            try {
                return engine.store().claim(call, holder, operation.lease());
            } catch (RuntimeException e) {
                Suppressed.into(cause, e);
            }
        }
        engine.tell(new Event.ClaimFailed(operation.name(), key, cause));
        throw cause;
    }

    private Begun<T> start(ActiveAttempt running, boolean outdated, @Nullable Instant now) {
        if (outdated || isLate(running, now)) {
            // Something was known a moment ago, or we took the store's time for an earlier one.
            giveBack(running, null);
            return refused(Outcome.Reason.GONE);
        }
        return running.abandoned() ? takeOver(running) : new StartedCall<>(running, codec);
    }

    /** Only the store's own word on its time, given after the grant, lets a dated call run. */
    private boolean isLate(ActiveAttempt running, @Nullable Instant now) {
        if (!age.isBounded()) {
            return false;
        }
        try {
            return age.isOutdated(now == null ? engine.inFlight().askTime(key) : now);
        } catch (Throwable e) {
            giveBackAfter(e, running);
            throw e;
        }
    }

    private static void giveBackAfter(Throwable failure, ActiveAttempt running) {
        try {
            giveBack(running, failure);
        } catch (RuntimeException | Error e) {
            Suppressed.into(failure, e);
        }
    }

    /** What was abandoned stays so; nothing else is known of it. */
    private static void giveBack(ActiveAttempt running, @Nullable Throwable cause) {
        if (running.abandoned()) {
            running.abandon();
        } else {
            running.release(cause);
        }
    }

    private Begun<T> takeOver(ActiveAttempt running) {
        WhenAbandoned policy = operation.whenAbandoned();
        if (policy instanceof WhenAbandoned.Refuse) {
            running.hold("abandoned: its holder fell silent", false);
            return refused(Outcome.Reason.UNKNOWN);
        }
        if (policy instanceof WhenAbandoned.Reconcile reconcile) {
            return reconcile(running, reconcile.hook());
        }
        return new StartedCall<>(running, codec);
    }

    private Begun<T> reconcile(ActiveAttempt running, WhenAbandoned.Hook hook) {
        WhenAbandoned.Verdict verdict;
        try {
            verdict = hook.ask(call, running);
        } catch (Throwable e) {
            running.abandon();
            throw e;
        }
        if (verdict instanceof WhenAbandoned.Verdict.DidNotHappen) {
            return new StartedCall<>(running, codec);
        }
        if (verdict instanceof WhenAbandoned.Verdict.Happened happened) {
            return answer(Decision.onResult(running.complete(happened.answer())));
        }
        running.abandon();
        return refused(Outcome.Reason.UNKNOWN);
    }

    /**
     * Waits on the running call itself where it is in this process, else a little before the store is asked again; null then.
     */
    private @Nullable Begun<T> await(Decision.Wait wait, int round) {
        waits = true;
        ActiveAttempt local = engine.inFlight().find(key);
        if (local == null || !local.fingerprint().equals(call.fingerprint())) {
            return slept(pause(wait, round)) ? null : busy(wait);
        }
        if (!awaited(local)) {
            return busy(wait);
        }
        byte[] stored = local.ended().join();
        return stored.length == 0 ? null : answer(Decision.onResult(stored));
    }

    private boolean awaited(ActiveAttempt local) {
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
        Outcome.Done<T> done;
        try {
            Frame frame = engine.frames().read(key, stored);
            if (frame.kind() == AnswerKind.REJECTED) {
                Rejection rejection = Frames.rejection(key, frame.body());
                tellReplayed();
                throw rejection;
            }
            if (!replays(frame.origin())) {
                return refused(Outcome.Reason.GONE);
            }
            done = new Outcome.Done<>(decode(frame), true);
        } catch (UnreadableAnswer e) {
            if (!e.isDamaged()) {
                throw e;
            }
            engine.tell(new Event.Unreadable(operation.name(), key, e));
            return refused(Outcome.Reason.NOT_RETAINED);
        }
        tellReplayed();
        return new Begun.Answered<>(done);
    }

    /** Whether an answer may be replayed by the version that wrote it. */
    private boolean replays(AnswerOrigin origin) {
        return operation.answersOfOtherVersions() == Operation.OtherVersions.REPLAY
                || operation.version().equals(origin.version());
    }

    private T decode(Frame frame) {
        AnswerOrigin origin = frame.origin();
        if (!origin.isReadBy(codec)) {
            throw UnreadableAnswer.damaged(
                    "The stored answer of " + key + " has the form '" + origin.form() + "'; the codec of operation '"
                            + operation.name() + "' reads '" + codec.form() + "'.",
                    null);
        }
        try {
            return codec.decode(frame.body(), origin.version());
        } catch (Exception | StackOverflowError | LinkageError e) {
            // Whatever it is: the same bytes would fail the same way at every retry.
            throw UnreadableAnswer.damaged(
                    "The stored answer of " + key + " cannot be decoded by the codec of operation '" + operation.name()
                            + "'; if the codec changed, it must still read what it wrote before.",
                    e);
        }
    }

    private void tellReplayed() {
        engine.tell(new Event.Replayed(operation.name(), key, claiming(), waited()));
    }

    private Begun<T> refused(Outcome.Reason reason) {
        engine.tell(new Event.WasRefused(operation.name(), key, reason));
        return new Begun.Answered<>(new Outcome.Refused<>(reason, subject()));
    }

    private Begun<T> busy(Decision.Wait wait) {
        if (!call.asksAgain()) {
            engine.tell(new Event.WasBusy(operation.name(), key, waited()));
        }
        Duration retryAfter = operation.retryAfter();
        boolean lapsesSooner = wait.remaining().compareTo(retryAfter) < 0;
        return new Begun.Answered<>(new Outcome.Busy<>(lapsesSooner ? wait.remaining() : retryAfter, subject()));
    }

    private Outcome.Subject subject() {
        return new Outcome.Subject(operation.name(), key);
    }

    private Duration waited() {
        return waits ? call.waited().plus(engine.since(start)) : call.waited();
    }

    private long left() {
        return operation.waitWhenBusy().toNanos() - (time.nanos() - start);
    }

    private Duration claiming() {
        return engine.listening() ? engine.since(start) : Duration.ZERO;
    }
}
