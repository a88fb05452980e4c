// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.Result.CarriedOut;
import io.semel.client.Transport.Evidence;
import io.semel.client.Transport.Verdict;
import io.semel.client.internal.attempt.AttemptTimeout;
import io.semel.client.internal.attempt.CallThreads;
import io.semel.client.internal.response.Redirects;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Carries one call through its attempts; waits on no thread. */
final class CallExchange {

    private final ClientContext context;
    private final Intent intent;
    private final CallState state;
    private final CompletableFuture<Result> result = new CompletableFuture<>();

    private @Nullable AttemptTimeout current;
    private boolean over;

    CallExchange(ClientContext context, Intent intent, boolean doubt) {
        this.context = context;
        this.intent = intent;
        this.state = new CallState(intent.key(), context.retries(), context.budget(), context.time(), doubt);
    }

    CompletableFuture<Result> start() {
        // Only a caller's cancelling ends it from outside.
        var unused = result.whenComplete((ended, failure) -> {
            if (failure != null) {
                stop(StopReason.INTERRUPTED);
            }
        });
        attempt();
        return result;
    }

    /** Ends it now; what is under way is given up. */
    void stop(StopReason why) {
        AttemptTimeout underway;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            underway = current;
        }
        if (underway != null) {
            underway.cancel();
        }
        end(state.result(why, underway != null));
    }

    private void attempt() {
        AttemptTimeout timeout;
        synchronized (this) {
            if (over) {
                return;
            }
            timeout = new AttemptTimeout(state.begin(intent.request().timeout().orElse(null)));
            current = timeout;
        }
        // Captures nothing of this exchange: what is scheduled stays so after the answer has come.
        Transport transport = context.transport();
        context.time().schedule(timeout.limit(), () -> {
            if (timeout.isOpen()) {
                CallThreads.execute(transport, timeout::expire);
            }
        });
        send(intent.uri(), 0, timeout);
    }

    private void send(URI target, int redirects, AttemptTimeout timeout) {
        CompletableFuture<HttpResponse<byte[]>> sent;
        try {
            HttpRequest request = intent.attempt(target, context.keyHeader());
            sent = context.transport().send(intent, request, context.retries().largestAnswer);
        } catch (RuntimeException e) {
            failed(e, Verdict.of(Evidence.NOT_SENT, false));
            return;
        }
        timeout.watch(sent);
        var unused = sent.whenComplete((response, failure) -> {
            if (failure == null) {
                answered(target, redirects, response, timeout);
            } else {
                timeout.end();
                Throwable cause = timeout.isExpired() ? timeout.failure() : unwrapped(failure);
                failed(cause, context.transport().judge(cause));
            }
        });
    }

    private void answered(URI from, int redirects, HttpResponse<byte[]> response, AttemptTimeout timeout) {
        URI target = redirects < Redirects.MOST ? Redirects.target(from, response) : null;
        if (target != null) {
            send(target, redirects + 1, timeout);
            return;
        }
        timeout.end();
        Verdict verdict = context.transport().judge(response);
        goOn(verdict, response.statusCode(), null, () -> state.answered(response, verdict));
    }

    private void failed(Throwable cause, Verdict verdict) {
        goOn(verdict, 0, cause, () -> state.failed(cause, verdict));
    }

    private void goOn(Verdict verdict, int status, @Nullable Throwable cause, Runnable note) {
        CallState.Next next;
        int attempt;
        Result known = null;
        synchronized (this) {
            if (over) {
                return;
            }
            current = null;
            note.run();
            attempt = state.attempts();
            next = state.next(verdict);
            if (next instanceof CallState.Next.End end) {
                over = true;
                known = state.result(end.stop(), false);
            }
        }
        if (known != null) {
            end(known);
        } else if (next instanceof CallState.Next.Again again) {
            context.tell(new ClientEvent.Retrying(intent.key(), attempt, status, cause, again.pause()));
            context.time().schedule(again.pause(), () -> CallThreads.execute(context.transport(), this::attempt));
        }
    }

    private void end(Result known) {
        if (known.carriedOut() != CarriedOut.UNKNOWN && !result.isCancelled()) {
            context.strikeOut(known.key());
        }
        context.tell(new ClientEvent.Ended(known));
        // Before anybody hears of the end, who may send it again at once.
        context.underway().remove(intent.key());
        result.complete(known);
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
