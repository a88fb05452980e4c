// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.internal.request.JournaledHeaders;
import io.semel.client.internal.request.KeyHeader;
import io.semel.time.Time;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request under one key until there is an answer, and says what is known if there is none; only for services that
 * honour the key, since others carry out every attempt.
 *
 * <p>Immutable, each method that changes a setting gives a copy. Make one per service, since its calls share a budget of
 * retries.
 */
public final class RetryingClient {

    private final ClientContext context;

    private RetryingClient(ClientContext context) {
        this.context = context;
    }

    /**
     * A client over one of the JDK's. That one must not follow redirects, because it would turn a POST into a GET and take
     * its answer for that of the POST; this client follows 307 and 308 within one origin by itself. Give it a connect
     * timeout: an attempt that ends while connecting is known not to have been sent.
     */
    public static RetryingClient over(HttpClient http) {
        if (http.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException(
                    "The HttpClient follows redirects (" + http.followRedirects()
                            + "), which can turn a POST into a GET; build it with followRedirects(NEVER), which is the default.");
        }
        return over(new HttpTransport(http, "urn:semel:problem:"));
    }

    /** A client over another way than HTTP, such as the one that semel-grpc brings. */
    public static RetryingClient over(Transport transport) {
        return new RetryingClient(ClientContext.of(transport));
    }

    /** With other settings, and a budget of its own. */
    public RetryingClient with(RetryPolicy retries) {
        return new RetryingClient(context.with(retries));
    }

    /** With other time; for tests. */
    public RetryingClient with(Time time) {
        return new RetryingClient(context.with(time));
    }

    /**
     * Writes every intent down before it is sent, and strikes it out when its end is known. Of its headers only those
     * about content are written, and those named here; credentials never are.
     */
    public RetryingClient journal(IntentJournal intents, String... keptHeaders) {
        return new RetryingClient(context.with(intents, JournaledHeaders.and(context.keptHeaders(), keptHeaders)));
    }

    /** Is told of retries and ends; must return quickly. */
    public RetryingClient listener(Consumer<ClientEvent> listener) {
        return new RetryingClient(context.with(listener));
    }

    /** Sends keys under another name, for services that chose one. */
    public RetryingClient keyHeader(String name) {
        return new RetryingClient(
                context.with(new KeyHeader(name, context.keyHeader().quoted())));
    }

    /** Sends keys in quotes, as strings of RFC 9651, for services that insist on them. */
    public RetryingClient quotedKeys() {
        return new RetryingClient(context.with(new KeyHeader(context.keyHeader().name(), true)));
    }

    /** The base of the problems' URIs, if the service publishes pages about them. */
    public RetryingClient problemBase(String uri) {
        if (!(context.transport() instanceof HttpTransport http)) {
            throw new IllegalStateException(
                    "Only services over HTTP name their problems by URIs; this client goes over " + context.transport()
                            + ".");
        }
        return new RetryingClient(context.via(new HttpTransport(http.http(), uri), context.retries().deadline));
    }

    /**
     * Sends it and waits for the end. An interrupt ends it early, with what is known until then, and stays set.
     */
    public Result send(Intent intent) {
        check(intent);
        if (Thread.currentThread().isInterrupted()) {
            return new Result.NotSent(intent.key(), 0, StopReason.INTERRUPTED, null);
        }
        Call call = begin(intent);
        try {
            return call.result().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            call.stop().run();
            return call.result().join();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A call ends with a result, whatever happens", e.getCause());
        }
    }

    /**
     * Sends it. The future never fails; cancelling it ends the call, and leaves the intent in the journal if there is one.
     * The journal is written on the calling thread, before this returns.
     */
    public CompletableFuture<Result> sendAsync(Intent intent) {
        check(intent);
        return begin(intent).result();
    }

    /** {@link #resume(UnaryOperator, Duration)} for what is less than a day old, as long as most services remember. */
    public CompletableFuture<List<Result>> resume(UnaryOperator<Intent> dress) throws IOException {
        return resume(dress, Duration.ofDays(1));
    }

    /**
     * Sends again, under the same keys, what an earlier process left in the journal. What is older is not sent, because
     * the service may have forgotten the key and would carry it out anew; it ends as unknown and stays in the journal.
     *
     * @param dress adds what was not written down, such as credentials
     */
    public CompletableFuture<List<Result>> resume(UnaryOperator<Intent> dress, Duration atMostOld) throws IOException {
        IntentJournal intents = context.intents();
        if (intents == null) {
            throw new IllegalStateException("There is nothing to resume from; give the client a journal first.");
        }
        List<Intent> left = intents.unfinished().stream()
                .filter(intent -> !context.underway().contains(intent.key()))
                .toList();
        return new Resumption(context, left, dress, Instant.now().minus(atMostOld)).start();
    }

    /** This client for one call that goes another way and may take only so long; all else, also the budget, is shared. */
    RetryingClient via(Transport transport, Duration atMost) {
        return new RetryingClient(context.via(transport, atMost));
    }

    ClientContext context() {
        return context;
    }

    private void check(Intent intent) {
        context.keyHeader().check(intent.key());
        if (intent.headers().containsKey(context.keyHeader().name())) {
            throw new IllegalArgumentException("The request has a header "
                    + context.keyHeader().name() + " already; give the key to the intent instead, with key(…).");
        }
    }

    private Call begin(Intent intent) {
        if (!context.underway().add(intent.key())) {
            throw new IllegalArgumentException("This client is sending " + intent
                    + " already; wait for its result. Another request needs another key.");
        }
        Result unwritten = written(intent);
        if (unwritten != null) {
            context.underway().remove(intent.key());
            return new Call(CompletableFuture.completedFuture(unwritten), () -> {});
        }
        CallExchange exchange = new CallExchange(context, intent, false);
        return new Call(exchange.start(), () -> exchange.stop(StopReason.INTERRUPTED));
    }

    /** Null if it may be sent. */
    private @Nullable Result written(Intent intent) {
        try {
            context.writeDown(intent);
            return null;
        } catch (IOException | RuntimeException e) {
            Result notSent = new Result.NotSent(intent.key(), 0, StopReason.JOURNAL, e);
            context.tell(new ClientEvent.Ended(notSent));
            return notSent;
        }
    }

    private record Call(CompletableFuture<Result> result, Runnable stop) {}
}
