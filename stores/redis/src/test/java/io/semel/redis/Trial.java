// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Short words for tests about one key. */
final class Trial {

    static final Duration LEASE = Duration.ofMinutes(10);
    static final Fingerprint ASKED = Fingerprint.of("what was asked");
    static final Settlement.Complete DONE = new Settlement.Complete(bytes("done"), Retention.DEFAULT);

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    static Key key() {
        return Key.of("trial", "key-" + NUMBERS.incrementAndGet());
    }

    static Claim claim(Store store, Key key, String holder) {
        return store.claim(Call.of(key, ASKED), holder, LEASE);
    }

    static Claim.Granted granted(Store store, Key key, String holder) {
        return (Claim.Granted) claim(store, key, holder);
    }

    /** Claims and completes. */
    static Key done(Store store) {
        Key key = key();
        long fence = granted(store, key, "holder").fence();
        if (!store.settle(key, "holder", fence, DONE)) {
            throw new AssertionError("A holder may complete.");
        }
        return key;
    }

    static String answer(Store store, Key key) {
        return answer(claim(store, key, "retry-" + NUMBERS.incrementAndGet()));
    }

    private static String answer(Claim claim) {
        byte[] result = claim instanceof Claim.Settled settled ? settled.result() : null;
        return result == null ? claim.toString() : new String(result, StandardCharsets.UTF_8);
    }

    /** Repeats the question until the store can be asked. */
    static String answerInTheEnd(Store store, Key key) {
        return answer(claimInTheEnd(store, key, "retry-" + NUMBERS.incrementAndGet()));
    }

    /** Repeats a claim until the store can be asked. */
    static Claim claimInTheEnd(Store store, Key key, String holder) {
        Claim[] claim = new Claim[1];
        Await.that("the store can be asked", () -> {
            Optional<Claim> told = claimIfItCan(store, key, holder);
            told.ifPresent(each -> claim[0] = each);
            return told.isPresent();
        });
        return claim[0];
    }

    private static Optional<Claim> claimIfItCan(Store store, Key key, String holder) {
        try {
            return Optional.of(claim(store, key, holder));
        } catch (StoreException notYet) {
            return Optional.empty();
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Trial() {}
}
