// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Short words for tests about one key. */
final class Trial {

    static final Duration LEASE = Duration.ofMinutes(10);
    static final Fingerprint ASKED = Fingerprint.of("what was asked");
    /** An hour of answers, and an hour in which the key is refused. */
    static final Retention KEPT = Retention.of(Duration.ofHours(1), Duration.ofHours(1));
    /** As the engine writes it: format 1, kind UNKNOWN. */
    static final byte[] UNKNOWN = {1, 3, 'x'};

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    static Key key() {
        return Key.of("trial", "key-" + NUMBERS.incrementAndGet());
    }

    static Claim claim(Store store, Key key, String holder) {
        return store.claim(Call.of(key, ASKED), holder, LEASE);
    }

    /** By a holder of its own. */
    static Claim claim(Store store, Key key) {
        return claim(store, key, "retry-" + NUMBERS.incrementAndGet());
    }

    static Claim.Granted granted(Store store, Key key, String holder) {
        return (Claim.Granted) claim(store, key, holder);
    }

    static Key done(Store store, String result) {
        return done(store, bytes(result), KEPT);
    }

    static Key done(Store store, byte[] result, Retention retention) {
        Key key = key();
        complete(store, key, result, retention);
        return key;
    }

    static void complete(Store store, Key key, byte[] result, Retention retention) {
        long fence = granted(store, key, "holder").fence();
        if (!store.settle(key, "holder", fence, new Settlement.Complete(result, retention))) {
            throw new AssertionError("A holder may complete.");
        }
    }

    static Settlement.Complete complete(String result) {
        return new Settlement.Complete(bytes(result), KEPT);
    }

    /** What a claim is told, in words: the result where there is one. */
    static String answer(Store store, Key key) {
        return answer(claim(store, key));
    }

    static String answer(Claim claim) {
        if (claim instanceof Claim.Settled settled) {
            byte[] result = settled.result();
            return result == null ? "gone" : new String(result, StandardCharsets.UTF_8);
        }
        return claim instanceof Claim.Held ? "held" : "granted";
    }

    static Claim.Settled settled(String result) {
        return new Claim.Settled(ASKED, bytes(result), KEPT.retention());
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Trial() {}
}
