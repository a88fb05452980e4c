// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.attempt;

import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Ends an attempt that takes too long. The JDK's own timeout ends when the headers are there; this one covers the body.
 *
 * <p>It holds on to nothing once the attempt has ended, since what is scheduled stays so until its time.
 */
public final class AttemptTimeout {

    private final Duration limit;
    private @Nullable CompletableFuture<?> sent;
    private boolean given;
    private boolean expired;
    private boolean ended;

    public AttemptTimeout(Duration limit) {
        this.limit = limit;
    }

    public Duration limit() {
        return limit;
    }

    /** Watches this part of the attempt from now on. */
    public void watch(CompletableFuture<?> future) {
        boolean late;
        synchronized (this) {
            late = given || expired;
            sent = late ? null : future;
        }
        if (late) {
            future.cancel(true);
        }
    }

    /** Whether there is anything left to end. */
    public synchronized boolean isOpen() {
        return !ended;
    }

    public void expire() {
        CompletableFuture<?> future;
        synchronized (this) {
            future = sent;
            expired = !ended;
        }
        if (future != null) {
            future.cancel(true);
        }
    }

    /** Gives the attempt up. */
    public void cancel() {
        CompletableFuture<?> future;
        synchronized (this) {
            given = true;
            future = sent;
        }
        if (future != null) {
            future.cancel(true);
        }
    }

    public synchronized void end() {
        ended = true;
        sent = null;
    }

    public synchronized boolean isExpired() {
        return expired;
    }

    public HttpTimeoutException failure() {
        return new HttpTimeoutException("No whole answer within " + limit + "; it may have been carried out.");
    }
}
