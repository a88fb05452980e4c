// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.redis.internal.client.RedisSettings;
import java.time.Duration;

/** The settings of a {@link RedisStore}; immutable, every method returns a changed copy. */
public final class RedisOptions {

    /** The prefix {@code semel:}, a timeout of three seconds, best effort. */
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

    /** The prefix of the names of this service's slots; services that share a Redis must not share a prefix. */
    public RedisOptions withPrefix(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException(
                    "A prefix has at least one character, which tells slots from other data.");
        }
        if (text.indexOf('{') >= 0 || text.indexOf('}') >= 0) {
            throw new IllegalArgumentException(
                    "A prefix has no braces, not " + text + ": a cluster finds the server of a slot by them.");
        }
        return new RedisOptions(text, timeout, confirmations, durable, evictable);
    }

    /** How long to wait for an answer before the outcome counts as unknown. */
    public RedisOptions withTimeout(Duration span) {
        if (span.isNegative() || span.isZero() || span.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("A timeout is above zero and at most an hour, not " + span + ".");
        }
        return new RedisOptions(prefix, span, confirmations, durable, evictable);
    }

    /**
     * Acknowledges only writes that this many replicas have in memory (WAIT). If they do not confirm within half of the
     * timeout, the outcome is unknown: a claim is not granted, and a settle is not confirmed, although Redis may have
     * done both. It makes losses by failover rarer, not impossible, so that the level stays BEST_EFFORT. Not in a
     * cluster.
     */
    public RedisOptions confirmedBy(int replicas) {
        if (replicas < 0) {
            throw new IllegalArgumentException("At least zero replicas confirm, not " + replicas + ".");
        }
        return new RedisOptions(prefix, timeout, replicas, durable, evictable);
    }

    /**
     * Promises LEASED, and refuses to start unless a single server's append-only file provides it: no replicas, no
     * cluster, no eviction, {@code appendonly yes}, {@code appendfsync always}, {@code no-appendfsync-on-rewrite no}.
     */
    public RedisOptions durable() {
        return new RedisOptions(prefix, timeout, confirmations, true, evictable);
    }

    /** Starts although the server may evict keys, and with them the records of completed calls. */
    public RedisOptions acceptingEviction() {
        return new RedisOptions(prefix, timeout, confirmations, durable, true);
    }

    String prefix() {
        return prefix;
    }

    RedisSettings client() {
        return new RedisSettings(timeout, confirmations, durable, evictable);
    }
}
