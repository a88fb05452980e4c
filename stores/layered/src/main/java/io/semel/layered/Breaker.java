// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Key;
import io.semel.store.Claim;
import io.semel.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * {@link Answers} that never fail: where their place cannot be asked, nothing is remembered there. After some failures in a
 * row it is left alone for a while; then one caller tries it for all.
 */
public final class Breaker implements Answers {

    private static final int FAILURES = 5;
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Answers place;
    private final int most;
    private final Duration pause;
    private final Consumer<? super Notice> listener;
    private final Time time;

    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicBoolean trying = new AtomicBoolean();
    private final AtomicLong spared = new AtomicLong();
    private volatile boolean open;
    private volatile long triedAgainAt;

    private Breaker(Answers place, int most, Duration pause, Consumer<? super Notice> listener, Time time) {
        this.place = place;
        this.most = most;
        this.pause = pause;
        this.listener = listener;
        this.time = time;
    }

    /** Opens after five failures in a row, for five seconds, and writes to the log when it does. */
    public static Breaker around(Answers place) {
        return place instanceof Breaker breaker
                ? breaker
                : new Breaker(place, FAILURES, PAUSE, new BreakerLog(place), Time.system());
    }

    /** How many failures in a row open it, and for how long. */
    public Breaker opening(int afterFailures, Duration forSpan) {
        if (afterFailures < 1 || forSpan.isNegative() || forSpan.isZero()) {
            throw new IllegalArgumentException(
                    "A breaker opens after at least one failure, for more than no time; not after " + afterFailures
                            + ", for " + forSpan + ".");
        }
        return new Breaker(place, afterFailures, forSpan, listener, time);
    }

    /** Who is told instead of the log; it is called by the threads that ask, so let it be quick. */
    public Breaker telling(Consumer<? super Notice> who) {
        return new Breaker(place, most, pause, who, time);
    }

    /** The same by another time, for tests. */
    public Breaker timedBy(Time other) {
        return new Breaker(place, most, pause, listener, other);
    }

    /** Whether the place is left alone at the moment. */
    public boolean isOpen() {
        return open;
    }

    @Override
    public Optional<Claim.Settled> get(Key key) {
        return ask(Optional.empty(), () -> place.get(key));
    }

    @Override
    public List<Optional<Claim.Settled>> getAll(List<Key> keys) {
        return ask(keys.stream().map(key -> Optional.<Claim.Settled>empty()).toList(), () -> place.getAll(keys));
    }

    @Override
    public void put(Key key, Claim.Settled settled, Duration freshFor, long asked) {
        ask(true, () -> {
            place.put(key, settled, freshFor, asked);
            return true;
        });
    }

    /** Tried even while open: whoever changes an answer wants the old one gone. */
    @Override
    public void forget(Key key) {
        try {
            place.forget(key);
        } catch (RuntimeException e) {
            failed(e);
            tell(new Notice.NotForgotten(key, e));
        }
    }

    private <T> T ask(T otherwise, Supplier<T> question) {
        boolean trial = open;
        if (trial && !isToBeTried()) {
            spared.incrementAndGet();
            return otherwise;
        }
        try {
            T answer = question.get();
            succeeded();
            return answer;
        } catch (RuntimeException e) {
            failed(e);
            return otherwise;
        } finally {
            if (trial) {
                trying.set(false);
            }
        }
    }

    private boolean isToBeTried() {
        return time.nanos() - triedAgainAt >= 0 && trying.compareAndSet(false, true);
    }

    private void succeeded() {
        if (failures.get() != 0) {
            failures.set(0);
        }
        if (open) {
            close();
        }
    }

    private synchronized void close() {
        if (open) {
            open = false;
            tell(new Notice.Closed(spared.getAndSet(0)));
        }
    }

    private void failed(RuntimeException cause) {
        tell(new Notice.Failed(cause));
        if (failures.incrementAndGet() >= most) {
            open(cause);
        }
    }

    private synchronized void open(RuntimeException cause) {
        triedAgainAt = time.nanos() + pause.toNanos();
        if (!open) {
            open = true;
            tell(new Notice.Opened(pause, cause));
        }
    }

    /** A listener that throws must not change what a caller is told. */
    private void tell(Notice notice) {
        try {
            listener.accept(notice);
        } catch (RuntimeException e) {
            BreakerLog.complain(notice, e);
        }
    }

    /** What happened between a breaker and its place. */
    public sealed interface Notice {

        /** A question was not answered; it counts as not remembered. */
        record Failed(RuntimeException cause) implements Notice {}

        /** The place is left alone for this long. */
        record Opened(Duration pause, RuntimeException cause) implements Notice {}

        /** It answers again; so many questions had been spared meanwhile. */
        record Closed(long spared) implements Notice {}

        /** An answer that was amended may still be remembered, until it is no longer fresh. */
        record NotForgotten(Key key, RuntimeException cause) implements Notice {}
    }
}
