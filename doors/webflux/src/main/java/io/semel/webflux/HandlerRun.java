// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Answer;
import io.semel.http.Problem;
import io.semel.http.RequestDecision;
import io.semel.http.StatusPolicy.Keep;
import io.semel.http.Streaming;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** One run of a handler: its answer is held back until it is settled. */
final class HandlerRun {

    private final RequestDecision.Run run;
    private final ServerWebExchange exchange;
    private final WebFilterChain chain;
    private final FilterSettings settings;
    private final BufferedResponse held;
    private volatile boolean ended;

    HandlerRun(RequestDecision.Run run, ServerWebExchange exchange, WebFilterChain chain, FilterSettings settings) {
        this.run = run;
        this.exchange = exchange;
        this.chain = chain;
        this.settings = settings;
        this.held = new BufferedResponse(exchange.getResponse(), settings.largestAnswer(), this::stream);
    }

    /** Says how to send what has been settled. */
    Mono<Supplier<Mono<Void>>> run(byte[] body) {
        Mono<Void> handling =
                Mono.usingWhen(Mono.fromCallable(() -> inner(body)), this::answer, ServerWebExchange::cleanupMultipart);
        return guarded(handling)
                .timeout(overdue(), Mono.error(new Overdue()))
                .onErrorResume(problem -> !(problem instanceof Overdue), this::fail)
                .then(blocking(Mono.fromCallable(this::settle)))
                .onErrorResume(Overdue.class, late -> blocking(Mono.fromCallable(this::giveUp)));
    }

    /** Some errors, such as a NoClassDefFoundError, Reactor throws instead of handing them on: the run would never hear of its end. */
    private static Mono<Void> guarded(Mono<Void> handling) {
        return Mono.create(sink -> {
            try {
                sink.onDispose(handling.subscribe(
                        nothing -> {},
                        thrown -> sink.error(wrapped(thrown)),
                        sink::success,
                        Context.of(sink.contextView())));
            } catch (Throwable e) {
                sink.error(wrapped(e));
            }
        });
    }

    private static Exception wrapped(Throwable thrown) {
        return thrown instanceof Exception exception
                ? exception
                : new IllegalStateException("The handler failed with " + thrown, thrown);
    }

    /** A stream that passes has been ended, and may take as long as it likes. */
    private Mono<Long> overdue() {
        return Mono.delay(settings.longestRun()).flatMap(now -> ended ? Mono.never() : Mono.just(now));
    }

    private Supplier<Mono<Void>> giveUp() {
        Problem problem = run.silent();
        return () -> ResponseWriter.send(problem.answer(), exchange.getResponse());
    }

    private ServerWebExchange inner(byte[] body) {
        ServerWebExchange inner = new BufferedExchange(exchange, body, held);
        inner.getAttributes().put(IdempotencyWebFilter.ATTEMPT, run.attempt());
        return inner;
    }

    private Mono<Void> answer(ServerWebExchange inner) {
        return chain.filter(inner).then(Mono.defer(held::finish));
    }

    private Mono<Void> fail(Throwable thrown) {
        return ended
                ? Mono.error(thrown)
                : blocking(Mono.<Void>fromRunnable(() -> released(thrown))).then(Mono.error(thrown));
    }

    private void released(Throwable thrown) {
        if (isSaid(IdempotencyWebFilter.OUTCOME_UNKNOWN) || isSaid(IdempotencyWebFilter.CARRIED_OUT)) {
            run.silent();
        } else {
            run.fail(thrown);
        }
    }

    private boolean isSaid(String attribute) {
        return exchange.getAttribute(attribute) != null;
    }

    private Supplier<Mono<Void>> settle() {
        if (held.isPassing()) {
            return Mono::empty;
        }
        Answer head;
        byte[] content;
        try {
            head = held.head();
            content = held.content();
        } catch (Throwable e) {
            released(e);
            throw e;
        }
        if (isSaid(IdempotencyWebFilter.OUTCOME_UNKNOWN)
                || (isSaid(IdempotencyWebFilter.CARRIED_OUT) && run.keep(head) == Keep.FORGET)) {
            return giveUp();
        }
        Optional<Problem> problem = content.length > run.largestKept()
                ? run.completeUnkept(head)
                : run.complete(new Answer(head.status(), head.headers(), content));
        return problem.<Supplier<Mono<Void>>>map(
                        wrong -> () -> ResponseWriter.send(wrong.answer(), exchange.getResponse()))
                .orElseGet(() -> () -> held.send(run.headers()));
    }

    /** If there is no thread to end it on, it is left abandoned at least, and not held for as long as this process lives. */
    private <T> Mono<T> blocking(Mono<T> ending) {
        return ending.subscribeOn(settings.ending()).doOnError(RejectedExecutionException.class, rejected -> {
            if (!ended) {
                run.silent();
            }
        });
    }

    /** A stream has no end to be recorded at: leaves a tombstone, and lets it through. */
    private Mono<Void> stream(Answer head) {
        if (settings.streaming() == Streaming.REFUSE) {
            return Mono.error(new IllegalStateException("A stream of events cannot be recorded, so a request with an"
                    + " idempotency key cannot be answered with one here. Ask for it without a key, or say"
                    + " Streaming.PASS."));
        }
        return Mono.fromRunnable(() -> {
                    ended = true;
                    run.completeUnkept(head).ifPresent(problem -> {
                        throw new IllegalStateException(problem.detail());
                    });
                    ResponseWriter.lines(run.headers(), held.getHeaders());
                })
                .subscribeOn(settings.ending())
                .then();
    }

    /** The handler has taken too long. */
    private static final class Overdue extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Overdue() {
            super("The handler has taken too long.", null, false, false);
        }
    }
}
