// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a client is made of, as its calls need it. */
record Wiring(
        Transport transport,
        Retries retries,
        Budget budget,
        Time time,
        KeyLine keyLine,
        Set<String> keptHeaders,
        @Nullable Intents intents,
        Set<String> underway,
        Consumer<ClientEvent> listener) {

    static Wiring of(Transport transport) {
        Retries retries = Retries.standard();
        return new Wiring(
                transport,
                retries,
                new Budget(retries.tokens, retries.returned),
                Time.system(),
                KeyLine.STANDARD,
                KeptHeaders.STANDARD,
                null,
                ConcurrentHashMap.newKeySet(),
                event -> {});
    }

    Wiring with(Retries other) {
        Budget fresh = new Budget(other.tokens, other.returned);
        return new Wiring(transport, other, fresh, time, keyLine, keptHeaders, intents, underway, listener);
    }

    Wiring with(Time other) {
        return new Wiring(transport, retries, budget, other, keyLine, keptHeaders, intents, underway, listener);
    }

    Wiring with(KeyLine other) {
        return new Wiring(transport, retries, budget, time, other, keptHeaders, intents, underway, listener);
    }

    /** By another way, with the same budget and journal. */
    Wiring via(Transport other, Duration atMost) {
        Retries within = retries.within(atMost);
        return new Wiring(other, within, budget, time, keyLine, keptHeaders, intents, underway, listener);
    }

    Wiring with(Intents other, Set<String> kept) {
        return new Wiring(transport, retries, budget, time, keyLine, kept, other, underway, listener);
    }

    Wiring with(Consumer<ClientEvent> other) {
        return new Wiring(transport, retries, budget, time, keyLine, keptHeaders, intents, underway, other);
    }

    /** Without a listener, for what a caller has not asked for. */
    Wiring quiet() {
        return with(event -> {});
    }

    /** What the service's door has said in the end; null if it was not the door that spoke. */
    @Nullable
    Problem problem(Result result) {
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
        return new Exchange(this, intent, doubt).start();
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

    /** What a listener throws is its own matter, and not that of the call. */
    void tell(ClientEvent event) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
