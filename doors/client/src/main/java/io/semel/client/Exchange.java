// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.Result.CarriedOut;
import io.semel.client.Transport.Sign;
import io.semel.client.Transport.Verdict;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Carries one call through its attempts; waits on no thread. */
final class Exchange {

    private final Wiring wiring;
    private final Intent intent;
    private final Course course;
    private final CompletableFuture<Result> result = new CompletableFuture<>();

    private @Nullable Timeout current;
    private boolean over;

    Exchange(Wiring wiring, Intent intent, boolean doubt) {
        this.wiring = wiring;
        this.intent = intent;
        this.course = new Course(intent.key(), wiring.retries(), wiring.budget(), wiring.time(), doubt);
    }

    CompletableFuture<Result> start() {
        // Only a caller's cancelling ends it from outside.
        var unused = result.whenComplete((ended, failure) -> {
            if (failure != null) {
                stop(Stop.INTERRUPTED);
            }
        });
        attempt();
        return result;
    }

    /** Ends it now; what is under way is given up. */
    void stop(Stop why) {
        Timeout underway;
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
        end(course.result(why, underway != null));
    }

    private void attempt() {
        Timeout timeout;
        synchronized (this) {
            if (over) {
                return;
            }
            timeout = new Timeout(course.begin(intent.request().timeout().orElse(null)));
            current = timeout;
        }
        // Captures nothing of this exchange: what is scheduled stays so after the answer has come.
        Transport transport = wiring.transport();
        wiring.time().schedule(timeout.limit(), () -> {
            if (timeout.isOpen()) {
                Threads.execute(transport, timeout::expire);
            }
        });
        send(intent.uri(), 0, timeout);
    }

    private void send(URI target, int redirects, Timeout timeout) {
        CompletableFuture<HttpResponse<byte[]>> sent;
        try {
            HttpRequest request = intent.attempt(target, wiring.keyLine());
            sent = wiring.transport().send(intent, request, wiring.retries().largestAnswer);
        } catch (RuntimeException e) {
            failed(e, Verdict.of(Sign.NOT_SENT, false));
            return;
        }
        timeout.watch(sent);
        var unused = sent.whenComplete((response, failure) -> {
            if (failure == null) {
                answered(target, redirects, response, timeout);
            } else {
                timeout.end();
                Throwable cause = timeout.isExpired() ? timeout.failure() : unwrapped(failure);
                failed(cause, wiring.transport().judge(cause));
            }
        });
    }

    private void answered(URI from, int redirects, HttpResponse<byte[]> response, Timeout timeout) {
        URI target = redirects < Redirects.MOST ? Redirects.target(from, response) : null;
        if (target != null) {
            send(target, redirects + 1, timeout);
            return;
        }
        timeout.end();
        Verdict verdict = wiring.transport().judge(response);
        goOn(verdict, response.statusCode(), null, () -> course.answered(response, verdict));
    }

    private void failed(Throwable cause, Verdict verdict) {
        goOn(verdict, 0, cause, () -> course.failed(cause, verdict));
    }

    private void goOn(Verdict verdict, int status, @Nullable Throwable cause, Runnable note) {
        Course.Next next;
        int attempt;
        Result known = null;
        synchronized (this) {
            if (over) {
                return;
            }
            current = null;
            note.run();
            attempt = course.attempts();
            next = course.next(verdict);
            if (next instanceof Course.Next.End end) {
                over = true;
                known = course.result(end.stop(), false);
            }
        }
        if (known != null) {
            end(known);
        } else if (next instanceof Course.Next.Again again) {
            wiring.tell(new ClientEvent.Retrying(intent.key(), attempt, status, cause, again.pause()));
            wiring.time().schedule(again.pause(), () -> Threads.execute(wiring.transport(), this::attempt));
        }
    }

    private void end(Result known) {
        if (known.carriedOut() != CarriedOut.UNKNOWN && !result.isCancelled()) {
            wiring.strikeOut(known.key());
        }
        wiring.tell(new ClientEvent.Ended(known));
        // Before anybody hears of the end, who may send it again at once.
        wiring.underway().remove(intent.key());
        result.complete(known);
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
