// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.internal.attempt.CallThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells a service every third of a lease that its client is there; each time it tries until the next one is due. */
final class SessionHeartbeat {

    private static final Duration LONGEST = Duration.ofDays(1);

    private final ClientContext context;
    private final Duration third;
    private final Supplier<@Nullable Intent> next;
    private final Consumer<Result> heard;

    /** @param next what to say; null when there is nothing to be kept alive any more */
    SessionHeartbeat(ClientContext context, Duration lease, Supplier<@Nullable Intent> next, Consumer<Result> heard) {
        Duration part = lease.dividedBy(3);
        this.third = part.compareTo(LONGEST) > 0 ? LONGEST : part;
        this.context = context.quiet().with(context.retries().within(third));
        this.next = next;
        this.heard = heard;
    }

    void start() {
        context.time().schedule(third, () -> CallThreads.execute(context.transport(), this::beat));
    }

    private void beat() {
        Intent alive = next.get();
        if (alive != null) {
            start();
            var unused = exchange(alive).thenAccept(heard);
        }
    }

    CompletableFuture<Result> exchange(Intent intent) {
        return new CallExchange(context, intent, false).start();
    }
}
