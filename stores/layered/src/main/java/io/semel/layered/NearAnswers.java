// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.time.Time;
import java.time.Duration;
import java.util.Optional;

/** {@link Answers} in the memory of this process, in a Caffeine cache that is bounded by bytes. */
public final class NearAnswers implements Answers {

    /**
     * The approximate overhead of an answer, beside its bytes and those of its key: the cache's node, the entry, key
     * and record.
     */
    private static final int ENTRY_BYTES = 300;

    private final Time time;
    private final Cache<Key, Entry> entries;

    private NearAnswers(long bytes, Time time) {
        this.time = time;
        this.entries = Caffeine.newBuilder()
                .maximumWeight(bytes)
                .weigher(NearAnswers::weigh)
                .ticker(time::nanos)
                .expireAfter(Expiry.<Key, Entry>writing((key, entry) -> entry.timeToLive(time.nanos())))
                // There is little maintenance, and it is done by the time put returns.
                .executor(Runnable::run)
                .build();
    }

    /** A cache of at most about this many bytes of answers and keys. */
    public static NearAnswers ofBytes(long bytes) {
        return ofBytes(bytes, Time.system());
    }

    /** The same with another clock, for tests. */
    public static NearAnswers ofBytes(long bytes, Time time) {
        return new NearAnswers(bytes, time);
    }

    @Override
    public Optional<Claim.Settled> get(Key key) {
        Entry entry = entries.getIfPresent(key);
        return entry == null ? Optional.empty() : Optional.of(entry.settled(time.nanos()));
    }

    @Override
    public void put(Key key, Claim.Settled settled, Duration freshFor, long asked) {
        byte[] result = settled.result();
        if (result != null) {
            Entry entry = new Entry(
                    settled,
                    result.clone(),
                    asked + nanos(settled.remaining()),
                    asked + Math.min(nanos(freshFor), nanos(settled.remaining())));
            if (entry.expires - time.nanos() > 0) {
                entries.put(key, entry);
            }
        }
    }

    @Override
    public void forget(Key key) {
        entries.invalidate(key);
    }

    /** The approximate number of cached answers. */
    public long size() {
        return entries.estimatedSize();
    }

    private static int weigh(Key key, Entry entry) {
        // Strings take one or two bytes per character.
        long bytes = ENTRY_BYTES + 2L * (key.scope().length() + key.id().length()) + entry.result.length;
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }

    /** At most a hundred years, so that adding it to the time cannot overflow. */
    private static long nanos(Duration span) {
        return (span.compareTo(Retention.LONGEST) > 0 ? Retention.LONGEST : span).toNanos();
    }

    /** An answer, and the ends of its retention and of its freshness. */
    private static final class Entry {

        private final Claim.Settled settled;
        private final byte[] result;
        private final long ends;
        private final long expires;

        Entry(Claim.Settled settled, byte[] result, long ends, long expires) {
            this.settled = settled;
            this.result = result;
            this.ends = ends;
            this.expires = expires;
        }

        Duration timeToLive(long now) {
            return Duration.ofNanos(Math.max(0, expires - now));
        }

        /** Returns a copy, so that a caller that changes the array changes no other caller's answer. */
        Claim.Settled settled(long now) {
            Duration remaining =
                    settled.remaining().equals(Retention.FOREVER) ? Retention.FOREVER : Duration.ofNanos(ends - now);
            return new Claim.Settled(settled.fingerprint(), result.clone(), remaining);
        }
    }
}
