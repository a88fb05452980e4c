// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.time.Duration;

/** How a {@link RedisStore} works; immutable, every method gives a changed copy. */
public final class RedisOptions {

    /** The prefix {@code semel:}, an answer within three seconds, best effort. */
    public static final RedisOptions DEFAULT = new RedisOptions("semel:", Duration.ofSeconds(3), 0, false, false);

    private static final Duration LONGEST = Duration.ofHours(1);

    private final String prefix;
    private final Duration timeout;
    private final int confirmations;
    private final boolean durable;
    private final boolean evictable;

    private RedisOptions(String prefix, Duration timeout, int confirmations, boolean durable, boolean evictable) {
        this.prefix = prefix;
        this.timeout = timeout;
        this.confirmations = confirmations;
        this.durable = durable;
        this.evictable = evictable;
    }

    /** What the names of this service's slots begin with; services that share a Redis must not share it. */
    public RedisOptions withPrefix(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException(
                    "A prefix has at least one character, so that slots can be told from others.");
        }
        if (text.indexOf('{') >= 0 || text.indexOf('}') >= 0) {
            throw new IllegalArgumentException(
                    "A prefix has no braces, not " + text + ": from those a cluster takes where a slot is.");
        }
        return new RedisOptions(text, timeout, confirmations, durable, evictable);
    }

    /** How long an answer is waited for before the outcome counts as unknown. */
    public RedisOptions withTimeout(Duration span) {
        if (span.isNegative() || span.isZero() || span.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("A time-out is above zero and at most an hour, not " + span + ".");
        }
        return new RedisOptions(prefix, span, confirmations, durable, evictable);
    }

    /**
     * Acknowledges only what this many replicas have in memory (WAIT). Where they do not say so within half of the time-out,
     * the outcome is unknown: a claim is not granted, and a settle is not confirmed, although Redis may have done both. It makes
     * losses by failover rarer, not impossible, so that the level stays BEST_EFFORT. Not in a cluster.
     */
    public RedisOptions confirmedBy(int replicas) {
        if (replicas < 0) {
            throw new IllegalArgumentException("At least zero replicas confirm, not " + replicas + ".");
        }
        return new RedisOptions(prefix, timeout, replicas, durable, evictable);
    }

    /**
     * Promises LEASED, and refuses to start where a single server's append-only file does not give it: no replicas, no
     * cluster, no eviction, {@code appendonly yes}, {@code appendfsync always}, {@code no-appendfsync-on-rewrite no}.
     */
    public RedisOptions durable() {
        return new RedisOptions(prefix, timeout, confirmations, true, evictable);
    }

    /** Starts although the server may evict keys, and with them the memory of what was done. */
    public RedisOptions acceptingEviction() {
        return new RedisOptions(prefix, timeout, confirmations, durable, true);
    }

    String prefix() {
        return prefix;
    }

    Duration timeout() {
        return timeout;
    }

    int confirmations() {
        return confirmations;
    }

    /** In milliseconds: half as long as an answer is waited for, so that there is one; 0 would be for ever. */
    long confirmedWithin() {
        return Math.max(1, timeout.toMillis() / 2);
    }

    boolean isDurable() {
        return durable;
    }

    boolean isEvictable() {
        return evictable;
    }
}
