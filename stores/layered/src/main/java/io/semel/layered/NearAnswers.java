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

    /** What an answer takes beside its bytes and those of its key, about: the cache's node, the entry, key and record. */
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
                // What it has to clear up is little, and then done when put returns.
                .executor(Runnable::run)
                .build();
    }

    /** At most about this many bytes of answers and keys. */
    public static NearAnswers ofBytes(long bytes) {
        return ofBytes(bytes, Time.system());
    }

    /** The same by another time, for tests. */
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

    /** How many answers are remembered at the moment, about. */
    public long size() {
        return entries.estimatedSize();
    }

    private static int weigh(Key key, Entry entry) {
        // Strings take one byte a character, or two.
        long bytes = ENTRY_BYTES + 2L * (key.scope().length() + key.id().length()) + entry.result.length;
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }

    /** At most a hundred years, so that it can be added to the time. */
    private static long nanos(Duration span) {
        return (span.compareTo(Retention.LONGEST) > 0 ? Retention.LONGEST : span).toNanos();
    }

    /** An answer, and when its retention and its freshness end. */
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

        /** With an array of its own, so that who spoils it spoils it for nobody else. */
        Claim.Settled settled(long now) {
            Duration remaining =
                    settled.remaining().equals(Retention.FOREVER) ? Retention.FOREVER : Duration.ofNanos(ends - now);
            return new Claim.Settled(settled.fingerprint(), result.clone(), remaining);
        }
    }
}
