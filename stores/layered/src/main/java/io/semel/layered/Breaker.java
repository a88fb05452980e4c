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
 * A circuit breaker for {@link Answers}: failures of the cache count as misses. After some failures in a row the cache
 * is bypassed for a while; then one caller tries it for all.
 */
public final class Breaker implements Answers {

    private static final int FAILURES = 5;
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Answers cache;
    private final int most;
    private final Duration pause;
    private final Consumer<? super Notice> listener;
    private final Time time;

    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicBoolean trying = new AtomicBoolean();
    private final AtomicLong spared = new AtomicLong();
    private volatile boolean open;
    private volatile long triedAgainAt;

    private Breaker(Answers cache, int most, Duration pause, Consumer<? super Notice> listener, Time time) {
        this.cache = cache;
        this.most = most;
        this.pause = pause;
        this.listener = listener;
        this.time = time;
    }

    /** Opens after five failures in a row, for five seconds, and logs when it opens and closes. */
    public static Breaker around(Answers cache) {
        return cache instanceof Breaker breaker
                ? breaker
                : new Breaker(cache, FAILURES, PAUSE, new BreakerLog(cache), Time.system());
    }

    /** The number of failures in a row that open it, and for how long. */
    public Breaker opening(int afterFailures, Duration forSpan) {
        if (afterFailures < 1 || forSpan.isNegative() || forSpan.isZero()) {
            throw new IllegalArgumentException(
                    "A breaker opens after at least one failure and for more than zero time, not after " + afterFailures
                            + ", for " + forSpan + ".");
        }
        return new Breaker(cache, afterFailures, forSpan, listener, time);
    }

    /** Notifies this listener instead of the log; it runs on the calling threads and should be quick. */
    public Breaker telling(Consumer<? super Notice> other) {
        return new Breaker(cache, most, pause, other, time);
    }

    /** The same with another clock, for tests. */
    public Breaker timedBy(Time other) {
        return new Breaker(cache, most, pause, listener, other);
    }

    /** Whether the cache is being bypassed. */
    public boolean isOpen() {
        return open;
    }

    @Override
    public Optional<Claim.Settled> get(Key key) {
        return ask(Optional.empty(), () -> cache.get(key));
    }

    @Override
    public List<Optional<Claim.Settled>> getAll(List<Key> keys) {
        return ask(keys.stream().map(key -> Optional.<Claim.Settled>empty()).toList(), () -> cache.getAll(keys));
    }

    @Override
    public void put(Key key, Claim.Settled settled, Duration freshFor, long asked) {
        ask(true, () -> {
            cache.put(key, settled, freshFor, asked);
            return true;
        });
    }

    /** Tried even while open, because the caller has changed the answer and the old one must go. */
    @Override
    public void forget(Key key) {
        try {
            cache.forget(key);
        } catch (RuntimeException e) {
            failed(e);
            notice(new Notice.NotForgotten(key, e));
        }
    }

    private <T> T ask(T otherwise, Supplier<T> request) {
        boolean trial = open;
        if (trial && !mayTry()) {
            spared.incrementAndGet();
            return otherwise;
        }
        try {
            T answer = request.get();
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

    private boolean mayTry() {
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
            notice(new Notice.Closed(spared.getAndSet(0)));
        }
    }

    private void failed(RuntimeException cause) {
        notice(new Notice.Failed(cause));
        if (failures.incrementAndGet() >= most) {
            open(cause);
        }
    }

    private synchronized void open(RuntimeException cause) {
        triedAgainAt = time.nanos() + pause.toNanos();
        if (!open) {
            open = true;
            notice(new Notice.Opened(pause, cause));
        }
    }

    /** An exception of the listener must not change a caller's answer. */
    private void notice(Notice notice) {
        try {
            listener.accept(notice);
        } catch (RuntimeException e) {
            BreakerLog.listenerFailed(notice, e);
        }
    }

    /** An event between a breaker and its cache. */
    public sealed interface Notice {

        /** A request failed and counts as a miss. */
        record Failed(RuntimeException cause) implements Notice {}

        /** The cache is bypassed for this long. */
        record Opened(Duration pause, RuntimeException cause) implements Notice {}

        /** The cache works again; this many requests bypassed it meanwhile. */
        record Closed(long spared) implements Notice {}

        /** An amended answer may remain in the cache until it is no longer fresh. */
        record NotForgotten(Key key, RuntimeException cause) implements Notice {}
    }
}
