// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Recent introspection results by the hashes of the tokens, never kept longer than the tokens are valid. Invalid tokens have a cache of
 * their own, so that invented ones push no caller's out.
 */
final class TokenCache {

    static final int MOST = 10_000;

    private final long keepMillis;
    private final LongSupplier millis;
    private final Map<String, Said> owned = latest();
    private final Map<String, Said> nobodys = latest();

    TokenCache(Duration keep, LongSupplier millis) {
        this.keepMillis = keep.toMillis();
        this.millis = millis;
    }

    /** The owner, empty if the token is not active; null if the issuer has to be asked. */
    synchronized @Nullable String find(String hash) {
        Said known = owned.containsKey(hash) ? owned.get(hash) : nobodys.get(hash);
        if (known == null || known.asked + keepMillis < millis.getAsLong()) {
            return null;
        }
        return known.ownerAt(millis.getAsLong());
    }

    /** Whether it was a caller's when it was asked for last, however long ago that was. */
    synchronized boolean hadOwner(String hash) {
        Said known = owned.get(hash);
        return known != null && known.ends > millis.getAsLong();
    }

    /**
     * Adds a result and returns the owner at this moment.
     *
     * @param ends in seconds of the epoch
     */
    synchronized String add(String hash, String owner, long ends) {
        Said next = new Said(owner, millis.getAsLong(), ends * 1000);
        String now = next.ownerAt(next.asked);
        owned.remove(hash);
        (now.isEmpty() ? nobodys : owned).put(hash, next);
        return now;
    }

    synchronized int size() {
        return owned.size() + nobodys.size();
    }

    private static Map<String, Said> latest() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Said> eldest) {
                return size() > MOST;
            }
        };
    }

    private record Said(String owner, long asked, long ends) {

        private String ownerAt(long now) {
            return ends > now ? owner : "";
        }
    }
}
