// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.internal.attempt.RetryBudget;
import io.semel.client.internal.request.JournaledHeaders;
import io.semel.client.internal.request.KeyHeader;
import io.semel.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The settings and shared state of a client, as its calls need them. */
record ClientContext(
        Transport transport,
        RetryPolicy retries,
        RetryBudget budget,
        Time time,
        KeyHeader keyHeader,
        Set<String> keptHeaders,
        @Nullable IntentJournal intents,
        Set<String> underway,
        Consumer<ClientEvent> listener) {

    static ClientContext of(Transport transport) {
        RetryPolicy retries = RetryPolicy.standard();
        return new ClientContext(
                transport,
                retries,
                new RetryBudget(retries.tokens, retries.returned),
                Time.system(),
                KeyHeader.STANDARD,
                JournaledHeaders.STANDARD,
                null,
                ConcurrentHashMap.newKeySet(),
                event -> {});
    }

    ClientContext with(RetryPolicy other) {
        RetryBudget fresh = new RetryBudget(other.tokens, other.returned);
        return new ClientContext(transport, other, fresh, time, keyHeader, keptHeaders, intents, underway, listener);
    }

    ClientContext with(Time other) {
        return new ClientContext(
                transport, retries, budget, other, keyHeader, keptHeaders, intents, underway, listener);
    }

    ClientContext with(KeyHeader other) {
        return new ClientContext(transport, retries, budget, time, other, keptHeaders, intents, underway, listener);
    }

    /** By another way, with the same budget and journal. */
    ClientContext via(Transport other, Duration atMost) {
        RetryPolicy within = retries.within(atMost);
        return new ClientContext(other, within, budget, time, keyHeader, keptHeaders, intents, underway, listener);
    }

    ClientContext with(IntentJournal other, Set<String> kept) {
        return new ClientContext(transport, retries, budget, time, keyHeader, kept, other, underway, listener);
    }

    ClientContext with(Consumer<ClientEvent> other) {
        return new ClientContext(transport, retries, budget, time, keyHeader, keptHeaders, intents, underway, other);
    }

    /** Without a listener, for what a caller has not asked for. */
    ClientContext quiet() {
        return with(event -> {});
    }

    /** The problem that ended the call; null if it ended otherwise. */
    @Nullable
    ProblemType problem(Result result) {
        if (result instanceof Result.Refused refused) {
            return refused.problem();
        }
        if (!(result instanceof Result.Unknown unknown) || unknown.response() == null) {
            return null;
        }
        return transport.judge(unknown.response()).problem();
    }

    /** Sends what is written down already; doubt, where it may have been sent before. */
    CompletableFuture<Result> send(Intent intent, boolean doubt) {
        underway.add(intent.key());
        return new CallExchange(this, intent, doubt).start();
    }

    void writeDown(Intent intent) throws IOException {
        if (intents != null) {
            intents.begin(intent.keeping(keptHeaders));
        }
    }

    void strikeOut(String key) {
        if (intents == null) {
            return;
        }
        try {
            intents.done(key);
        } catch (IOException | RuntimeException e) {
            tell(new ClientEvent.NotStruckOut(key, e));
        }
    }

    /** A listener's exception does not concern the call. */
    void tell(ClientEvent event) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
