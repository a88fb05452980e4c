// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Event;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.http.HttpRules;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Lost connections, impatient clients, and the order of recording and sending. */
@ParameterizedClass
@EnumSource(Container.class)
class ConnectionTest extends Service {

    private final ExecutorService clients = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        clients.shutdownNow();
    }

    @Test
    void noByteIsSentBeforeTheAnswerIsRecorded() throws Exception {
        CountDownLatch settling = new CountDownLatch(1);
        CountDownLatch mayRecord = new CountDownLatch(1);
        filter = filter(
                new Hooked(store) {
                    @Override
                    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
                        settling.countDown();
                        awaitOrThrow(mayRecord);
                        return super.settle(key, holder, fence, settlement);
                    }
                },
                PAYMENTS,
                HttpRules.standard());
        handler = (request, response) -> {
            response.getOutputStream().write(new byte[200_000]);
            response.flushBuffer();
        };
        try (Client.Line line = client().open()) {
            line.write(pay().bytes());
            settling.await();

            assertThat(line.isSilent()).isTrue();
            assertThat(store.count().settled()).isZero();
            mayRecord.countDown();
            assertThat(line.read().body()).hasSize(200_000);
            assertThat(store.count().settled()).isEqualTo(1);
        }
    }

    @Test
    void anAnswerThatCouldNotBeRecordedIsNotSent() throws Exception {
        filter = filter(
                new Hooked(store) {
                    @Override
                    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
                        throw new StoreException("connection refused", null);
                    }
                },
                PAYMENTS.lease(Duration.ofMillis(30)),
                HttpRules.standard());
        handler = (request, response) -> {
            response.setHeader("ETag", "\"secret\"");
            response.addHeader("Set-Cookie", "a=b");
            charge(request, response);
        };

        Got first = send(pay());

        assertThat(first.problem()).isEqualTo("outcome-unknown");
        assertThat(first.text()).doesNotContain("payment 1");
        assertThat(first.headers("ETag")).isEmpty();
        assertThat(first.headers("Set-Cookie")).isEmpty();
        assertThat(first.header("Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void aStoreThatCannotBeAskedIsA503AndNothingRuns() throws Exception {
        AtomicReference<StoreException> failure = new AtomicReference<>(new StoreException("deadlock", null));
        Hooked down = new Hooked(store) {
            @Override
            public Claim claim(Call call, String holder, Duration lease) {
                throw failure.get();
            }
        };
        filter = filter(down, PAYMENTS, HttpRules.standard());

        assertThat(send(pay()).problem()).isEqualTo("store-unavailable");
        assertThat(effects).hasValue(0);

        filter = filter(down, PAYMENTS, HttpRules.standard().failOpen());
        assertThat(send(pay()).problem()).isEqualTo("store-unavailable");
        assertThat(effects).hasValue(0);

        failure.set(StoreException.unreachable("connection refused", null));
        filter = filter(down, PAYMENTS, HttpRules.standard());
        assertThat(send(pay()).problem()).isEqualTo("store-unavailable");
        assertThat(effects).hasValue(0);

        filter = filter(down, PAYMENTS, HttpRules.standard().failOpen());
        handler = (request, response) -> {
            effects.incrementAndGet();
            request.getInputStream().transferTo(response.getOutputStream());
        };
        assertThat(send(pay().body("{}")).text()).isEqualTo("{}");
        assertThat(effects).hasValue(1);
    }

    @Test
    void workGoesOnWhenTheClientHangsUpAndTheRetryGetsItsAnswer() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        handler = (request, response) -> {
            running.countDown();
            awaitOrThrow(mayEnd);
            charge(request, response);
            response.getOutputStream().write(new byte[100_000]);
        };
        try (Client.Line line = client().open()) {
            line.write(pay().bytes());
            running.await();
        }
        mayEnd.countDown();
        await(Event.Executed.class);

        Got retry = send(pay());

        assertThat(retry.status()).isEqualTo(201);
        assertThat(retry.replayed()).isTrue();
        assertThat(retry.body()).hasSize(100_009);
        assertThat(effects).hasValue(1);
    }

    @Test
    void aClientThatHangsUpWhileItSendsHasAskedForNothing() throws Exception {
        try (Client.Line line = client().open()) {
            line.write(pay().body(new byte[1000]).head());
            line.write(new byte[10]);
        }

        assertThat(send(pay()).status()).isEqualTo(201);
        assertThat(effects).hasValue(1);
    }

    @Test
    void ofManyAtOnceOneRunsAndNobodyGetsAServerError() throws Exception {
        Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
        handler = (request, response) -> {
            virtual.add(VirtualThreads.isVirtual(Thread.currentThread()));
            charge(request, response);
        };
        for (int round = 0; round < 5; round++) {
            effects.set(0);
            Sent sent = Sent.post("/payments").key("round-" + round).json("{}");
            List<Got> all = rush(32, sent);

            assertThat(effects).hasValue(1);
            assertThat(all)
                    .allMatch(got ->
                            got.text().equals("payment 1") || got.problem().equals("in-progress"));
            assertThat(all)
                    .filteredOn(got -> got.status() == 201 && !got.replayed())
                    .hasSize(1);
            assertThat(all)
                    .filteredOn(got -> got.status() == 409)
                    .allMatch(got -> got.header("Retry-After").equals("1"));
        }
        assertThat(virtual).containsOnly(container == Container.JETTY && VirtualThreads.THERE);
    }

    private List<Got> rush(int many, Sent sent) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Got>> sending = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            sending.add(clients.submit(() -> {
                start.await();
                return send(sent);
            }));
        }
        start.countDown();
        List<Got> all = new ArrayList<>();
        for (Future<Got> each : sending) {
            all.add(each.get(60, TimeUnit.SECONDS));
        }
        return all;
    }

    private static void awaitOrThrow(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A store to intervene in, which says that it keeps what it acknowledged. */
    private static class Hooked extends ForwardingStore {

        Hooked(Store store) {
            super(store);
        }

        @Override
        public Level level() {
            return Level.LEASED;
        }
    }
}
