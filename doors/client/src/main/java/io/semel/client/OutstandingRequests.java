// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.internal.request.SessionNumber;
import io.semel.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The numbers of a session: which come next, and which have no definite answer yet. */
final class OutstandingRequests {

    private final String session;
    private final int window;
    private final NavigableMap<Long, Intent> intents = new TreeMap<>();
    private long next = 1;
    private boolean over;
    private CompletableFuture<Void> changed = new CompletableFuture<>();

    OutstandingRequests(String session, int window) {
        this.session = session;
        this.window = window;
    }

    /** Takes the next number; null if there is no place in the window, or the session is over. */
    synchronized @Nullable Intent take(Intent intent) {
        if (over || next - first() >= window) {
            return null;
        }
        long number = next++;
        Intent numbered = intent.numbered(new SessionNumber(session, number, Math.min(first(), number)));
        intents.put(number, numbered);
        return numbered;
    }

    /** Waits for a place. */
    @Nullable
    Intent take(Intent intent, Time time, Duration atMost) throws InterruptedException {
        long deadline = time.nanos() + atMost.toNanos();
        while (true) {
            CompletableFuture<Void> change;
            synchronized (this) {
                Intent numbered = take(intent);
                if (numbered != null || over) {
                    return numbered;
                }
                change = changed;
            }
            Duration left = Duration.ofNanos(Math.max(0, deadline - time.nanos()));
            if (!time.await(change, left)) {
                return null;
            }
        }
    }

    /** Its outcome is known, or was given up: the mark may pass it. */
    void settle(String key) {
        change(() -> intents.values().removeIf(intent -> intent.key().equals(key)));
    }

    /** No number is taken from now on; false if that was so before. */
    boolean end() {
        boolean[] before = new boolean[1];
        change(() -> {
            before[0] = over;
            over = true;
        });
        return !before[0];
    }

    private void change(Runnable change) {
        CompletableFuture<Void> waited;
        synchronized (this) {
            change.run();
            waited = changed;
            changed = new CompletableFuture<>();
        }
        waited.complete(null);
    }

    /** Completes with the next change. */
    synchronized CompletableFuture<Void> change() {
        return changed;
    }

    String session() {
        return session;
    }

    synchronized boolean isOver() {
        return over;
    }

    /** All below have a definite answer. */
    synchronized long first() {
        return intents.isEmpty() ? next : intents.firstKey();
    }

    synchronized @Nullable Intent find(String key) {
        return intents.values().stream()
                .filter(intent -> intent.key().equals(key))
                .findFirst()
                .orElse(null);
    }

    synchronized List<Intent> all() {
        return List.copyOf(intents.values());
    }
}
