// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.activity;

import io.semel.Call;
import io.semel.Event;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Checks that the store answers and, after a failed write, that it writes; one check at a time on a thread of its own, so that a blocked store blocks no health request. */
public final class StoreProbe {

    private static final System.Logger LOG = System.getLogger(StoreProbe.class.getName());
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Store store;
    private @Nullable CompletableFuture<String> pending;
    private volatile boolean complained;
    /** Whether the last write that was heard of failed, so that reading proves too little. */
    private volatile boolean doubted;

    private final Key key = Key.of("semel/health", UUID.randomUUID().toString());

    public StoreProbe(Store store) {
        this.store = store;
    }

    /** {@code up} or {@code down}; the store's message goes to the log, because health needs no token. */
    public String state() {
        try {
            return asking().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return "down: no answer within " + PATIENCE.toSeconds() + " s";
        } catch (ExecutionException e) {
            return "down";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "down: the gateway is stopping";
        }
    }

    /** A store whose disk is full may still answer; only the result of writes shows that it keeps anything. */
    public void on(Event event) {
        if (event instanceof Event.Executed) {
            doubted = false;
        } else if (event instanceof Event.ClaimFailed || event instanceof Event.SettleFailed) {
            doubted = true;
        }
    }

    private synchronized CompletableFuture<String> asking() {
        CompletableFuture<String> asked = pending;
        if (asked == null) {
            asked = new CompletableFuture<>();
            pending = asked;
            CompletableFuture<String> answer = asked;
            Thread thread = new Thread(() -> ask(answer), "semel-health");
            thread.setDaemon(true);
            try {
                thread.start();
            } catch (RuntimeException | Error e) {
                // The next health check tries again.
                pending = null;
                throw e;
            }
        }
        return asked;
    }

    private void ask(CompletableFuture<String> answer) {
        String state = "down";
        try {
            store.now();
            if (doubted) {
                write();
                doubted = false;
            }
            state = "up";
            complained = false;
        } catch (RuntimeException e) {
            complain(e);
        } finally {
            synchronized (this) {
                pending = null;
            }
            answer.complete(state);
        }
    }

    /** Only after a failed write: health checks are frequent, and their writes would outnumber the others. */
    private void write() {
        Claim claim = store.claim(Call.of(key, Fingerprint.none()), key.id(), LEASE);
        if (claim instanceof Claim.Granted granted) {
            store.settle(key, key.id(), granted.fence(), new Settlement.Release());
        }
    }

    /** Once, until it answers again. */
    private void complain(RuntimeException e) {
        if (!complained) {
            complained = true;
            LOG.log(System.Logger.Level.WARNING, "The store is not responding: " + e.getMessage());
        }
    }
}
