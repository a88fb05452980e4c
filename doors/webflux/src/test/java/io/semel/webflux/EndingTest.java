// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Event;
import io.semel.WhenAbandoned;
import io.semel.http.HttpRules;
import io.semel.http.Streaming;
import io.semel.store.Claim;
import io.semel.testkit.ForwardingStore;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.MediaType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Every run comes to an end, also if its handler does not. */
@Timeout(120)
class EndingTest extends Service {

    @Test
    void aHandlerThatNeverEndsIsGivenUpAndItsKeyIsNotHeldForEver() throws Exception {
        filter = filter(store, PAYMENTS.whenAbandoned(WhenAbandoned.refuse()), HttpRules.standard())
                .longestRun(Duration.ofMillis(50));
        CountDownLatch cancelled = new CountDownLatch(1);
        handler = exchange -> Mono.<Void>never().doOnCancel(cancelled::countDown);

        HttpResponse<String> first = send(pay());

        assertThat(problem(first)).isEqualTo("outcome-unknown");
        assertThat(header(first, "Retry-After")).isEqualTo("1");
        assertThat(store.count().held()).isZero();
        assertThat(cancelled.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(problem(send(pay()))).isEqualTo("outcome-unknown");
    }

    @Test
    void aStreamThatPassesMayTakeAsLongAsItLikes() throws Exception {
        filter = filter(HttpRules.standard()).streaming(Streaming.PASS).longestRun(Duration.ofSeconds(2));
        handler = exchange -> {
            var response = exchange.getResponse();
            response.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
            return response.writeAndFlushWith(Flux.interval(Duration.ofMillis(600))
                    .take(5)
                    .map(each -> Flux.just(response.bufferFactory().wrap(("data:" + each + "\n\n").getBytes(UTF_8)))));
        };

        assertThat(send(pay()).body()).contains("data:4");
    }

    @Test
    void anErrorThatReactorLetsThroughFreesTheKeyToo() throws Exception {
        handler = exchange -> Mono.defer(() -> {
            throw new NoClassDefFoundError("for a test");
        });

        assertThat(send(pay()).statusCode()).isEqualTo(500);
        assertThat(await(Event.Released.class).cause()).hasRootCauseMessage("for a test");
        assertThat(store.count().held()).isZero();
    }

    @Test
    void aHandlerThatDoesNotKnowWhetherItHappenedLeavesItsKeyAsACrashWould() throws Exception {
        handler = exchange -> {
            exchange.getAttributes().put(IdempotencyWebFilter.OUTCOME_UNKNOWN, true);
            return answering(503).handle(exchange);
        };

        assertThat(problem(send(pay()))).isEqualTo("outcome-unknown");
        assertThat(problem(send(pay()))).isEqualTo("outcome-unknown");
        assertThat(effects).hasValue(1);
    }

    @Test
    void alsoIfItFails() throws Exception {
        handler = exchange -> {
            effects.incrementAndGet();
            exchange.getAttributes().put(IdempotencyWebFilter.OUTCOME_UNKNOWN, true);
            return Mono.error(new IllegalStateException("the connection was lost in the commit"));
        };

        assertThat(send(pay()).statusCode()).isEqualTo(500);
        assertThat(problem(send(pay()))).isEqualTo("outcome-unknown");
        assertThat(effects).hasValue(1);
    }

    @Test
    void whatWasCarriedOutIsRecordedOrUnknownButNeverForgotten() throws Exception {
        handler = exchange -> {
            exchange.getAttributes().put(IdempotencyWebFilter.CARRIED_OUT, true);
            return answering(exchange.getRequest().getHeaders().getFirst("X-Status") == null ? 201 : 503)
                    .handle(exchange);
        };

        isRepeated();
        HttpRequest.Builder failing =
                pay().setHeader("Idempotency-Key", "another-key").header("X-Status", "503");
        assertThat(problem(send(failing))).isEqualTo("outcome-unknown");
        assertThat(problem(send(failing))).isEqualTo("outcome-unknown");
        assertThat(effects).hasValue(2);
    }

    @Test
    void duplicatesThatWaitDoNotTakeTheThreadThatEndsTheFirst() throws Exception {
        int many = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
        CountDownLatch claims = new CountDownLatch(many + 1);
        filter = filter(
                new ForwardingStore(store) {
                    @Override
                    public Claim claim(Call call, String holder, Duration lease) {
                        Claim claim = super.claim(call, holder, lease);
                        claims.countDown();
                        return claim;
                    }
                },
                PAYMENTS.waitWhenBusy(Duration.ofSeconds(20)),
                HttpRules.standard());
        CountDownLatch running = new CountDownLatch(1);
        Sinks.Empty<Void> mayEnd = Sinks.empty();
        handler = exchange -> {
            running.countDown();
            return mayEnd.asMono().then(Mono.defer(() -> charge(exchange)));
        };
        ExecutorService clients = Executors.newCachedThreadPool();
        try {
            List<Future<HttpResponse<String>>> sending = new ArrayList<>();
            sending.add(clients.submit(() -> send(pay())));
            assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < many; i++) {
                sending.add(clients.submit(() -> send(pay())));
            }
            assertThat(claims.await(30, TimeUnit.SECONDS)).isTrue();
            mayEnd.tryEmitEmpty();

            for (var each : sending) {
                assertThat(each.get().body()).isEqualTo("payment 1");
            }
        } finally {
            clients.shutdownNow();
        }
        assertThat(effects).hasValue(1);
    }
}
