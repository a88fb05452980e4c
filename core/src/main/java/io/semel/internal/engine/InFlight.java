// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.Key;
import io.semel.store.Store;
import io.semel.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The attempts that this process has in flight on one store, and what they share. */
final class InFlight {

    private static final Duration TRUST_STORE_TIME = Duration.ofMinutes(1);
    private static final int HOLDER_BYTES = 12;
    /** Each keeps a connection of the caller's pool while it waits. */
    private static final int MOST_WAITERS_IN_TRANSACTIONS = 4;

    private final Store store;
    private final Time time;
    private final Heartbeat heartbeat;
    private final ConcurrentMap<Key, ActiveAttempt> running = new ConcurrentHashMap<>();
    private final String holderPrefix = randomPrefix();
    private final AtomicLong holders = new AtomicLong();
    private final Semaphore waitersInTransactions = new Semaphore(MOST_WAITERS_IN_TRANSACTIONS);
    private volatile @Nullable StoreTime storeTime;

    InFlight(Store store, Time time) {
        this.store = store;
        this.time = time;
        this.heartbeat = new Heartbeat(store, time, running.values());
    }

    /** Attempts in a caller's transaction need no heartbeat, and share nothing before its commit, which nobody here sees. */
    ActiveAttempt add(ActiveAttempt attempt) {
        if (store.commits()) {
            running.merge(attempt.key(), attempt, InFlight::newer);
            heartbeat.watch(attempt);
        }
        return attempt;
    }

    /** An attempt that was held up between its grant and here must not push out the one that has superseded it. */
    private static ActiveAttempt newer(ActiveAttempt one, ActiveAttempt other) {
        return one.fence() > other.fence() ? one : other;
    }

    void remove(ActiveAttempt attempt) {
        running.remove(attempt.key(), attempt);
    }

    @Nullable
    ActiveAttempt find(Key key) {
        return running.get(key);
    }

    /** Permits for duplicates that wait within a transaction of their caller's. */
    Semaphore waitersInTransactions() {
        return waitersInTransactions;
    }

    Time time() {
        return time;
    }

    /** Never used before: random for this process, counted within it. */
    String newHolder() {
        return holderPrefix + Long.toString(holders.incrementAndGet(), Character.MAX_RADIX);
    }

    /**
     * The store's time, carried on by the monotonic clock between two looks, so that no wall clock of ours matters (S8). It is
     * behind where this machine was suspended and its clock stood still: good for refusing early, not for letting anything run.
     */
    Instant storeTime() {
        StoreTime known = storeTime;
        return known == null || time.nanos() - known.nanos > TRUST_STORE_TIME.toNanos()
                ? askTime()
                : known.instant.plusNanos(time.nanos() - known.nanos);
    }

    /** The store's time, by its own word. */
    Instant askTime() {
        return noted(store.now());
    }

    /** The same, for who has just been granted the key. */
    Instant askTime(Key held) {
        return noted(store.now(held));
    }

    private Instant noted(Instant told) {
        storeTime = new StoreTime(told, time.nanos());
        return told;
    }

    private static String randomPrefix() {
        byte[] bytes = new byte[HOLDER_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().encodeToString(bytes) + ".";
    }

    private record StoreTime(Instant instant, long nanos) {}
}
