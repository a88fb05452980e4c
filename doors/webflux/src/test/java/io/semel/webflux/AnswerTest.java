// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Attempt;
import io.semel.http.HttpRules;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Whatever a handler does to its response, the client and its retries see the same. */
class AnswerTest extends Service {

    @Test
    void whatIsFlushedPieceByPieceIsRecordedWhole() throws Exception {
        handler = exchange -> {
            var factory = exchange.getResponse().bufferFactory();
            return exchange.getResponse()
                    .writeAndFlushWith(
                            Flux.range(1, 3).map(i -> Flux.just(factory.wrap(("part " + i).getBytes(UTF_8)))));
        };

        assertThat(isRepeated().body()).isEqualTo("part 1part 2part 3");
    }

    @Test
    void anAnswerWithoutContentHasNoneAndNoLength() throws Exception {
        handler = exchange -> {
            exchange.getResponse().setStatusCode(HttpStatus.NO_CONTENT);
            return Mono.empty();
        };

        HttpResponse<String> first = isRepeated();

        assertThat(first.statusCode()).isEqualTo(204);
        assertThat(header(first, "Content-Length")).isNull();
    }

    @Test
    void cookiesAndHeadersOfOneExchangeAreSentOnceAndNeverReplayed() throws Exception {
        handler = exchange -> {
            exchange.getResponse().addCookie(ResponseCookie.from("a", "b").build());
            exchange.getResponse().getHeaders().set("ETag", "\"1\"");
            exchange.getResponse().getHeaders().set("X-RateLimit-Remaining", "1");
            return charge(exchange);
        };

        HttpResponse<String> first = isRepeated();
        HttpResponse<String> retry = send(pay());

        assertThat(header(first, "Set-Cookie")).isEqualTo("a=b");
        assertThat(header(first, "X-RateLimit-Remaining")).isEqualTo("1");
        assertThat(header(retry, "ETag")).isEqualTo("\"1\"");
        assertThat(header(retry, "Set-Cookie")).isNull();
        assertThat(header(retry, "X-RateLimit-Remaining")).isNull();
    }

    @Test
    void cookiesAreReplayedWhereTheRulesSaySo() throws Exception {
        filter = filter(HttpRules.standard().replayHeaders("Set-Cookie"));
        handler = exchange -> {
            exchange.getResponse().addCookie(ResponseCookie.from("a", "1").build());
            exchange.getResponse().addCookie(ResponseCookie.from("b", "2").build());
            return charge(exchange);
        };

        isRepeated();
        assertThat(send(pay()).headers().allValues("Set-Cookie")).containsExactlyInAnyOrder("a=1", "b=2");
    }

    @Test
    void whatFiltersInFrontSetIsTheirsInEveryAnswer() throws Exception {
        front = (exchange, chain) -> {
            exchange.getResponse().getHeaders().set("ETag", "\"" + effects.incrementAndGet() + "\"");
            return chain.filter(exchange);
        };
        handler = exchange -> write(exchange, "x");

        assertThat(header(isRepeated(), "ETag")).isEqualTo("\"1\"");
        assertThat(header(send(pay()), "ETag")).isEqualTo("\"3\"");
    }

    @Test
    void whatIsToBeDoneBeforeTheCommitIsDoneBeforeTheRecord() throws Exception {
        handler = exchange -> {
            exchange.getResponse()
                    .beforeCommit(() -> Mono.fromRunnable(
                            () -> exchange.getResponse().getHeaders().set("ETag", "\"late\"")));
            return charge(exchange);
        };

        isRepeated();
        assertThat(header(send(pay()), "ETag")).isEqualTo("\"late\"");
    }

    @Test
    void whatAHandlerThrowsForgetsTheKeyAlsoAfterItHasWritten() throws Exception {
        handler = exchange -> Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND));
        assertThat(send(pay()).statusCode()).isEqualTo(404);
        handler = exchange -> {
            throw new IllegalStateException("for a test");
        };
        assertThat(send(pay()).statusCode()).isEqualTo(500);
        handler = exchange -> charge(exchange).then(Mono.error(new IllegalStateException("for a test")));
        HttpResponse<String> written = send(pay());
        assertThat(written.statusCode()).isEqualTo(500);
        assertThat(written.body()).doesNotContain("payment");
        assertThat(records()).isZero();
        handler = this::charge;
        assertThat(isRepeated().body()).isEqualTo("payment 2");
    }

    @Test
    void aBodyThatBreaksOffMayBeReplacedByAnother() throws Exception {
        handler = exchange -> exchange.getResponse()
                .writeWith(Flux.concat(
                        Mono.fromSupplier(
                                () -> exchange.getResponse().bufferFactory().wrap("half".getBytes(UTF_8))),
                        Mono.error(new IllegalStateException("for a test"))))
                .onErrorResume(failure -> {
                    exchange.getResponse().setStatusCode(HttpStatus.CONFLICT);
                    return write(exchange, "whole");
                });

        HttpResponse<String> first = isRepeated();
        assertThat(first.statusCode()).isEqualTo(409);
        assertThat(first.body()).isEqualTo("whole");
    }

    @Test
    void anAnswerLargerThanMayBeHeldIsTheHandlersException() throws Exception {
        filter = filter(HttpRules.standard()).largestAnswer(10);
        handler = exchange -> write(exchange, "x".repeat(11));

        assertThat(send(pay()).statusCode()).isEqualTo(500);
        assertThat(records()).isZero();
    }

    @Test
    void aHandlerFindsItsAttempt() throws Exception {
        handler = exchange -> {
            Attempt attempt = exchange.getRequiredAttribute(IdempotencyWebFilter.ATTEMPT);
            return write(exchange, attempt.key().id());
        };

        assertThat(send(pay()).body()).isEqualTo(key);
    }
}
