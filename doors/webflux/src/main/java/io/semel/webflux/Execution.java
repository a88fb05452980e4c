// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Answer;
import io.semel.http.Entry;
import io.semel.http.Problem;
import io.semel.http.Streaming;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** One run of a handler: its answer is held back until it is settled. */
final class Execution {

    private final Entry.Run run;
    private final ServerWebExchange exchange;
    private final WebFilterChain chain;
    private final Settings settings;
    private final HeldResponse held;
    private volatile boolean ended;

    Execution(Entry.Run run, ServerWebExchange exchange, WebFilterChain chain, Settings settings) {
        this.run = run;
        this.exchange = exchange;
        this.chain = chain;
        this.settings = settings;
        this.held = new HeldResponse(exchange.getResponse(), settings.largestAnswer(), this::stream);
    }

    /** Says how to send what has been settled. */
    Mono<Supplier<Mono<Void>>> run(byte[] body) {
        return Mono.usingWhen(Mono.fromCallable(() -> inner(body)), this::answer, ServerWebExchange::cleanupMultipart)
                .onErrorResume(this::fail)
                .then(blocking(Mono.fromCallable(this::settle)));
    }

    private ServerWebExchange inner(byte[] body) {
        ServerWebExchange inner = new HeldExchange(exchange, body, held);
        inner.getAttributes().put(IdempotencyWebFilter.ATTEMPT, run.attempt());
        return inner;
    }

    private Mono<Void> answer(ServerWebExchange inner) {
        return chain.filter(inner).then(Mono.defer(held::finish));
    }

    private Mono<Void> fail(Throwable thrown) {
        return ended
                ? Mono.error(thrown)
                : blocking(Mono.<Void>fromRunnable(() -> run.fail(thrown))).then(Mono.error(thrown));
    }

    private Supplier<Mono<Void>> settle() {
        if (held.isPassing()) {
            return Mono::empty;
        }
        Answer head = head();
        byte[] content = held.content();
        Optional<Problem> problem = content.length > run.largestKept()
                ? run.completeUnkept(head)
                : run.complete(new Answer(head.status(), head.headers(), content));
        return problem.<Supplier<Mono<Void>>>map(wrong -> () -> Sending.send(wrong.answer(), exchange.getResponse()))
                .orElseGet(() -> () -> held.send(run.headers()));
    }

    /** If there is no thread to end it on, it is left abandoned at least, and not held for as long as this process lives. */
    private <T> Mono<T> blocking(Mono<T> ending) {
        return ending.subscribeOn(settings.blocking()).doOnError(RejectedExecutionException.class, rejected -> {
            if (!ended) {
                run.silent();
            }
        });
    }

    private Answer head() {
        try {
            return held.head();
        } catch (RuntimeException e) {
            run.fail(e);
            throw e;
        }
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
                    Sending.lines(run.headers(), held.getHeaders());
                })
                .subscribeOn(settings.blocking())
                .then();
    }
}
