// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Event;
import io.semel.Key;
import io.semel.StoreException;
import io.semel.http.HttpRules;
import io.semel.http.Streaming;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.ForwardingStore;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** What goes over the wire and when, who hangs up, and on which threads it happens. */
class ConnectionTest extends Service {

    private Socket connect() throws Exception {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        socket.setSoTimeout(30_000);
        String head = "POST /payments HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nIdempotency-Key: " + key
                + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(US_ASCII));
        return socket;
    }

    @Test
    void noByteIsSentBeforeTheAnswerIsRecorded() throws Exception {
        CountDownLatch settling = new CountDownLatch(1);
        CountDownLatch mayRecord = new CountDownLatch(1);
        filter = filter(
                new ForwardingStore(store) {
                    @Override
                    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
                        settling.countDown();
                        awaitOrThrow(mayRecord);
                        return super.settle(key, holder, fence, settlement);
                    }
                },
                PAYMENTS,
                HttpRules.standard());
        try (Socket socket = connect()) {
            InputStream in = socket.getInputStream();
            assertThat(settling.await(30, TimeUnit.SECONDS)).isTrue();

            assertThat(in.available()).isZero();
            assertThat(store.count().settled()).isZero();
            mayRecord.countDown();
            assertThat(new String(in.readNBytes(12), US_ASCII)).isEqualTo("HTTP/1.1 201");
            assertThat(store.count().settled()).isEqualTo(1);
        }
    }

    @Test
    void anAnswerThatCouldNotBeRecordedIsNotSent() throws Exception {
        filter = filter(
                new ForwardingStore(store) {
                    @Override
                    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
                        throw new StoreException("connection refused", null);
                    }
                },
                PAYMENTS.lease(Duration.ofMillis(30)),
                HttpRules.standard());
        handler = exchange -> {
            exchange.getResponse().getHeaders().set("ETag", "\"secret\"");
            return charge(exchange);
        };

        HttpResponse<String> first = send(pay());

        assertThat(problem(first)).isEqualTo("outcome-unknown");
        assertThat(header(first, "ETag")).isNull();
        assertThat(header(first, "Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void aStoreThatCannotBeAskedIsA503AndNothingRunsUnlessTheRulesFailOpen() throws Exception {
        AtomicReference<StoreException> failure =
                new AtomicReference<>(StoreException.unreachable("connection refused", null));
        ForwardingStore down = new ForwardingStore(store) {
            @Override
            public Claim claim(Call call, String holder, Duration lease) {
                throw failure.get();
            }
        };
        filter = filter(down, PAYMENTS, HttpRules.standard());
        assertThat(problem(send(pay()))).isEqualTo("store-unavailable");
        assertThat(effects).hasValue(0);

        failure.set(new StoreException("deadlock", null));
        filter = filter(down, PAYMENTS, HttpRules.standard().failOpen());
        assertThat(problem(send(pay()))).isEqualTo("store-unavailable");
        assertThat(effects).hasValue(0);

        failure.set(StoreException.unreachable("connection refused", null));
        assertThat(send(pay()).body()).isEqualTo("payment 1");
    }

    @Test
    void theWorkGoesOnWhenTheClientHangsUpAndTheRetryGetsItsAnswer() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Sinks.Empty<Void> mayEnd = Sinks.empty();
        front = (exchange, chain) -> chain.filter(exchange).doOnCancel(cancelled::countDown);
        handler = exchange -> {
            running.countDown();
            return mayEnd.asMono().then(Mono.defer(() -> charge(exchange)));
        };
        Socket socket = connect();
        assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
        socket.close();
        assertThat(cancelled.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(store.count().held()).isEqualTo(1);
        mayEnd.tryEmitEmpty();
        await(Event.Executed.class);

        HttpResponse<String> retry = send(pay().POST(BodyPublishers.noBody()));

        assertThat(problem(retry)).isEqualTo("key-reused");
        try (Socket again = connect()) {
            assertThat(new String(again.getInputStream().readNBytes(12), US_ASCII))
                    .isEqualTo("HTTP/1.1 201");
        }
        assertThat(effects).hasValue(1);
    }

    @Test
    void theStoreIsNeverAskedOnAnEventLoop() throws Exception {
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        filter = filter(
                new ForwardingStore(store) {
                    @Override
                    public Claim claim(Call call, String holder, Duration lease) {
                        look("claim");
                        return super.claim(call, holder, lease);
                    }

                    @Override
                    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
                        look("settle");
                        return super.settle(key, holder, fence, settlement);
                    }

                    private void look(String what) {
                        if (Schedulers.isInNonBlockingThread()) {
                            wrong.add(what + " on " + Thread.currentThread().getName());
                        }
                    }
                },
                PAYMENTS,
                HttpRules.standard());
        Queue<Boolean> loops = new ConcurrentLinkedQueue<>();
        front = (exchange, chain) -> {
            loops.add(Schedulers.isInNonBlockingThread());
            return chain.filter(exchange);
        };
        isRepeated();
        handler = exchange -> Mono.error(new IllegalStateException("for a test"));
        send(post().header("Idempotency-Key", "b"));

        assertThat(loops).containsOnly(true);
        assertThat(wrong).isEmpty();
    }

    @Test
    void theStoreIsAskedWhereTheFilterIsToldTo() throws Exception {
        Queue<String> threads = new ConcurrentLinkedQueue<>();
        Scheduler own = Schedulers.newSingle("own", true);
        filter = filter(
                        new ForwardingStore(store) {
                            @Override
                            public Claim claim(Call call, String holder, Duration lease) {
                                threads.add(Thread.currentThread().getName());
                                return super.claim(call, holder, lease);
                            }
                        },
                        PAYMENTS,
                        HttpRules.standard())
                .asking(own);
        isRepeated();
        own.dispose();

        assertThat(threads).hasSize(2).allMatch(name -> name.startsWith("own"));
    }

    @Test
    void aRunThatCannotBeEndedBecauseItsThreadsAreGoneIsAbandonedAndNotHeld() throws Exception {
        Scheduler own = Schedulers.newSingle("own", true);
        filter = filter(store, PAYMENTS, HttpRules.standard()).asking(own);
        handler = exchange -> {
            own.dispose();
            return charge(exchange);
        };

        assertThat(send(pay()).statusCode()).isEqualTo(500);
        assertThat(store.count().held()).isZero();
        assertThat(store.count().lapsed()).isEqualTo(1);
    }

    private static WebHandler events(Flux<String> events) {
        return exchange -> {
            var response = exchange.getResponse();
            response.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
            return response.writeAndFlushWith(events.map(
                    event -> Flux.just(response.bufferFactory().wrap(("data:" + event + "\n\n").getBytes(US_ASCII)))));
        };
    }

    @Test
    void aStreamOfEventsIsRefusedBeforeItIsBegun() throws Exception {
        handler = events(Flux.just("a").doOnSubscribe(begun -> effects.incrementAndGet()));

        assertThat(send(pay()).statusCode()).isEqualTo(500);
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void aStreamOfEventsMayPassAsItComesAndLeavesATombstone() throws Exception {
        filter = filter(HttpRules.standard()).streaming(Streaming.PASS);
        Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();
        sink.tryEmitNext("first");
        handler = events(sink.asFlux());
        try (Socket socket = connect()) {
            String seen = "";
            while (!seen.contains("first")) {
                seen += (char) socket.getInputStream().read();
            }
            assertThat(store.count().settled()).isEqualTo(1);
            sink.tryEmitNext("last");
            sink.tryEmitComplete();
            while (!seen.contains("last")) {
                seen += (char) socket.getInputStream().read();
            }
        }
        try (Socket again = connect()) {
            assertThat(new String(again.getInputStream().readNBytes(12), US_ASCII))
                    .isEqualTo("HTTP/1.1 410");
        }
    }

    @Test
    void aStreamThatPassesEndsWhenItsClientHangsUp() throws Exception {
        filter = filter(HttpRules.standard()).streaming(Streaming.PASS);
        CountDownLatch ended = new CountDownLatch(1);
        handler = events(Flux.interval(Duration.ofMillis(10))
                .onBackpressureDrop()
                .map(String::valueOf)
                .doFinally(end -> ended.countDown()));
        try (Socket socket = connect()) {
            assertThat(socket.getInputStream().read()).isEqualTo('H');
        }

        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static void awaitOrThrow(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("Nobody let it go on.");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
