// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.semel.AnswerKind;
import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Rejection;
import io.semel.grpc.Counter.Got;
import io.semel.memory.MemoryStore;
import io.semel.session.MemorySessions;
import io.semel.session.Session;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import io.semel.testkit.ManualTime;
import io.semel.testkit.fault.FlakyStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys and sessions over a real gRPC server. */
class IdempotencyInterceptorTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final GrpcCallerResolver CALLERS = (call, headers) -> {
        String user = headers.get(Metadata.Key.of("user", Metadata.ASCII_STRING_MARSHALLER));
        return user == null ? "alice" : user;
    };

    private final ManualTime time = new ManualTime();
    private final MemorySessions sessions = new MemorySessions(2, time);
    private final FlakyStore store = FlakyStore.on(new MemoryStore());
    private final Counter counter;

    IdempotencyInterceptorTest() throws IOException {
        IdempotencyInterceptor guard =
                IdempotencyInterceptor.on(Engine.on(store), CALLERS).sessions(Engine.on(sessions, time));
        counter = new Counter(
                guard,
                SessionService.on(
                        sessions, CALLERS, Session.of("terms").window(4).lease(LEASE)));
    }

    @AfterEach
    void close() {
        counter.close();
    }

    @Test
    void aCallWithTheSameKeyHappensOnceAndItsAnswerIsMarked() {
        Got first = keyed("a", "pay");
        Got retry = keyed("a", "pay");

        assertThat(first.text()).isEqualTo("pay 1");
        assertThat(first.replayed()).isFalse();
        assertThat(retry.text()).isEqualTo("pay 1");
        assertThat(retry.replayed()).isTrue();
        assertThat(keyed("b", "pay").text()).isEqualTo("pay 2");
        assertThat(counter.keys).containsExactly("a", "b");
    }

    @Test
    void withoutAKeyEveryCallRuns() {
        plain("pay");

        assertThat(plain("pay").text()).isEqualTo("pay 2");
    }

    @Test
    void anotherMessageUnderTheSameKeyIsRefused() {
        keyed("a", "pay");

        assertThat(refusal(() -> keyed("a", "refund"))).isEqualTo("INVALID_ARGUMENT key-reused");
        assertThat(counter.runs).hasValue(1);
    }

    @Test
    void anotherCallerHasKeysOfItsOwn() {
        keyed("a", "pay");

        assertThat(counter.call(
                                Counter.PAY,
                                "pay",
                                CallOptions.DEFAULT.withOption(KeyingInterceptor.KEY, "a"),
                                new KeyingInterceptor(),
                                attach("user", "bob"))
                        .text())
                .isEqualTo("pay 2");
    }

    @Test
    void gRpcsOwnRetriesSendTheSameKey() {
        counter.handler = request -> {
            if (counter.runs.incrementAndGet() < 3) {
                throw Status.UNAVAILABLE.asRuntimeException();
            }
            return "done";
        };

        assertThat(counter.call(Counter.PAY, "pay", CallOptions.DEFAULT, new KeyingInterceptor())
                        .text())
                .isEqualTo("done");
        assertThat(counter.keys).hasSize(3).containsOnly(counter.keys.get(0));
    }

    @Test
    void aRefusalIsReplayedAndAFailureRunsAgain() {
        counter.handler = request -> {
            throw Status.NOT_FOUND
                    .withDescription("run " + counter.runs.incrementAndGet())
                    .asRuntimeException();
        };
        assertThat(failure(() -> keyed("a", "pay")).getStatus().getDescription())
                .isEqualTo("run 1");
        StatusRuntimeException again = failure(() -> keyed("a", "pay"));
        assertThat(again.getStatus().getDescription()).isEqualTo("run 1");
        assertThat(again.getTrailers().get(MetadataKeys.REPLAYED)).isEqualTo("true");

        counter.handler = request -> {
            counter.runs.incrementAndGet();
            throw new IllegalStateException("no paper");
        };
        failure(() -> keyed("b", "pay"));
        failure(() -> keyed("b", "pay"));
        assertThat(counter.runs).hasValue(3);
    }

    @Test
    void anAnswerThatCannotBeWrittenIsUnknownAndItsKeyIsNotHeldForEver() {
        counter.handler = request -> Counter.UNWRITABLE + counter.runs.incrementAndGet();

        assertThat(refusal(() -> keyed("a", "pay"))).isEqualTo("ABORTED outcome-unknown");
        assertThat(refusal(() -> keyed("a", "pay"))).isEqualTo("FAILED_PRECONDITION outcome-unknown");
        assertThat(counter.runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"OK"})
    void anAnswerAboutTheRequestIsRecordedAndAnyOtherForgotten(Status.Code code) {
        counter.handler = request -> {
            counter.runs.incrementAndGet();
            throw code.toStatus().asRuntimeException();
        };
        Set<Status.Code> recorded = EnumSet.of(
                Status.Code.INVALID_ARGUMENT,
                Status.Code.NOT_FOUND,
                Status.Code.ALREADY_EXISTS,
                Status.Code.FAILED_PRECONDITION,
                Status.Code.OUT_OF_RANGE);

        for (int i = 0; i < 2; i++) {
            assertThat(failure(() -> keyed("a", "pay")).getStatus().getCode()).isEqualTo(code);
        }
        assertThat(counter.runs.get() == 1).isEqualTo(recorded.contains(code));
    }

    @Test
    void aDuplicateOfARunningCallIsToldToWait() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        counter.handler = request -> {
            running.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return "run " + counter.runs.incrementAndGet();
        };
        ExecutorService client = Executors.newSingleThreadExecutor();
        try {
            Future<Got> first = client.submit(() -> keyed("a", "pay"));
            running.await();
            assertThat(refusal(() -> keyed("a", "pay"))).isEqualTo("ABORTED in-progress");
            mayEnd.countDown();
            assertThat(first.get(30, TimeUnit.SECONDS).text()).isEqualTo("run 1");
        } finally {
            client.shutdownNow();
        }
    }

    @Test
    void theWorkGoesOnWhenTheClientHangsUpAndItsRetryGetsTheAnswer() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        counter.handler = request -> {
            running.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return "run " + counter.runs.incrementAndGet();
        };
        ClientCall<String, String> call = counter.begin("a", "pay");
        running.await();
        call.cancel("the client hangs up", null);
        mayEnd.countDown();
        Got retry = null;
        while (retry == null) {
            try {
                retry = keyed("a", "pay");
            } catch (StatusRuntimeException e) {
                assertThat(Counter.refused(e)).isEqualTo("ABORTED in-progress");
            }
        }

        assertThat(retry.text()).isEqualTo("run 1");
        assertThat(retry.replayed()).isTrue();
    }

    @Test
    void aHandlerThatNeverEndsAfterItsClientHasHungUpDoesNotHoldItsKeyForEver() throws Exception {
        CountDownLatch abandoned = new CountDownLatch(1);
        ForwardingStore watched = new ForwardingStore(new MemoryStore()) {
            @Override
            public boolean settle(Key key, String holder, long fence, Settlement settlement) {
                boolean applied = super.settle(key, holder, fence, settlement);
                if (settlement instanceof Settlement.Renew renew
                        && renew.lease().isZero()) {
                    abandoned.countDown();
                }
                return applied;
            }
        };
        IdempotencyInterceptor guard =
                IdempotencyInterceptor.on(Engine.on(watched), CALLERS).giveUpAfter(Duration.ofMillis(50));
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (Counter stuck = new Counter(guard)) {
            stuck.handler = request -> {
                running.countDown();
                try {
                    over.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return "too late";
            };
            ClientCall<String, String> call = stuck.begin("a", "pay");
            running.await();
            call.cancel("the client hangs up", null);

            assertThat(abandoned.await(30, TimeUnit.SECONDS)).isTrue();
            over.countDown();
        }
    }

    @Test
    void aStoreThatBlocksWhereCallsAreGivenUpKeepsNoOtherFromIt() throws Exception {
        int blocking = Runtime.getRuntime().availableProcessors() + 1;
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(blocking);
        CountDownLatch abandoned = new CountDownLatch(1);
        ForwardingStore watched = new ForwardingStore(new MemoryStore()) {
            @Override
            public boolean settle(Key key, String holder, long fence, Settlement settlement) {
                if (settlement instanceof Settlement.Renew renew
                        && renew.lease().isZero()) {
                    if (key.id().startsWith("blocked")) {
                        blocked.countDown();
                        await(release);
                    } else {
                        abandoned.countDown();
                    }
                }
                return super.settle(key, holder, fence, settlement);
            }
        };
        IdempotencyInterceptor guard =
                IdempotencyInterceptor.on(Engine.on(watched), CALLERS).giveUpAfter(Duration.ofMillis(50));
        CountDownLatch running = new CountDownLatch(blocking + 1);
        CountDownLatch over = new CountDownLatch(1);
        try (Counter stuck = new Counter(guard)) {
            stuck.handler = request -> {
                running.countDown();
                await(over);
                return "too late";
            };
            List<ClientCall<String, String>> calls = new ArrayList<>();
            for (int i = 0; i < blocking; i++) {
                calls.add(stuck.begin("blocked-" + i, "pay"));
            }
            ClientCall<String, String> last = stuck.begin("other", "pay");
            running.await();
            calls.forEach(call -> call.cancel("the client hangs up", null));
            assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
            last.cancel("the client hangs up", null);

            assertThat(abandoned.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            release.countDown();
            over.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aHandlerThatDoesNotKnowLeavesItsKeyAsACrashWould() {
        counter.handler = request -> {
            counter.runs.incrementAndGet();
            IdempotencyInterceptor.outcomeUnknown();
            if (request.equals("throw")) {
                throw new IllegalStateException("the connection was lost in the commit");
            }
            throw Status.UNAVAILABLE.asRuntimeException();
        };

        assertThat(refusal(() -> keyed("a", "pay"))).isEqualTo("ABORTED outcome-unknown");
        assertThat(refusal(() -> keyed("a", "pay"))).isEqualTo("FAILED_PRECONDITION outcome-unknown");
        failure(() -> keyed("b", "throw"));
        assertThat(refusal(() -> keyed("b", "throw"))).isEqualTo("FAILED_PRECONDITION outcome-unknown");
        failure(() -> plain("pay"));
        assertThat(counter.keys).containsExactly("a", "b");
    }

    @Test
    void whereTheStoreIsAwayNothingRuns() {
        store.down();

        assertThat(refusal(() -> keyed("a", "pay"))).isEqualTo("UNAVAILABLE store-unavailable");
        assertThat(counter.runs).hasValue(0);
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThat(refusal(
                        () -> counter.call(Counter.STREAM, "x", CallOptions.DEFAULT, attach("idempotency-key", "a"))))
                .isEqualTo("UNIMPLEMENTED unsupported");
        List<Metadata> malformed = List.of(
                Counter.headers("idempotency-key", ""),
                Counter.headers("idempotency-key", "x".repeat(256)),
                Counter.headers("idempotency-key", "a", "idempotency-key", "a"),
                Counter.headers("semel-session", "x"),
                Counter.headers("semel-session", "x", "semel-request", "1", "semel-first-outstanding", "2"),
                Counter.headers("semel-session", "x", "semel-request", "0", "semel-first-outstanding", "0"),
                Counter.headers(
                        "semel-session",
                        "x",
                        "semel-request",
                        "1",
                        "semel-first-outstanding",
                        "1",
                        "idempotency-key",
                        "a"));
        for (Metadata headers : malformed) {
            assertThat(refusal(() -> counter.call(
                            Counter.PAY, "x", CallOptions.DEFAULT, MetadataUtils.newAttachHeadersInterceptor(headers))))
                    .isEqualTo("INVALID_ARGUMENT malformed-key");
        }
        assertThat(counter.runs).hasValue(0);
    }

    @Test
    void aNumberInASessionHappensOnceUntilItsAnswerWasReceived() {
        Metadata terms = counter.ask(SessionService.REGISTER);
        String id = terms.get(MetadataKeys.SESSION);

        assertThat(terms.get(MetadataKeys.LEASE)).isEqualTo("60000");
        assertThat(terms.get(MetadataKeys.WINDOW)).isEqualTo("4");
        assertThat(terms.get(MetadataKeys.MODE)).isEqualTo("set");
        assertThat(numbered(id, 1, 1).text()).isEqualTo("pay 1");
        assertThat(numbered(id, 1, 1).replayed()).isTrue();
        assertThat(numbered(id, 2, 2).text()).isEqualTo("pay 2");
        assertThat(refusal(() -> numbered(id, 1, 1))).isEqualTo("FAILED_PRECONDITION session-stale");
        assertThat(refusal(() -> numbered(id, 9, 2))).isEqualTo("FAILED_PRECONDITION session-window-full");
        assertThat(refusal(() -> numbered("invented", 1, 1))).isEqualTo("NOT_FOUND session-unknown");
        assertThat(counter.runs).hasValue(2);
    }

    @Test
    void aSessionLivesByKeepAlivesAndEndsBySilenceOrWhenItIsClosed() {
        String id = register();
        for (int i = 0; i < 6; i++) {
            time.advance(LEASE.dividedBy(2));
            counter.ask(SessionService.KEEP_ALIVE, "semel-session", id);
        }
        time.advance(LEASE);
        assertThat(refusal(() -> numbered(id, 1, 1))).isEqualTo("FAILED_PRECONDITION session-expired");
        assertThat(refusal(() -> counter.ask(SessionService.KEEP_ALIVE, "semel-session", id)))
                .isEqualTo("FAILED_PRECONDITION session-expired");

        String other = register();
        counter.ask(SessionService.KEEP_ALIVE, "semel-session", other, "semel-first-outstanding", "3");
        assertThat(refusal(() -> numbered(other, 2, 1))).isEqualTo("FAILED_PRECONDITION session-stale");
        counter.ask(SessionService.CLOSE, "semel-session", other);
        assertThat(refusal(() -> numbered(other, 3, 3))).isEqualTo("NOT_FOUND session-unknown");
        assertThat(refusal(() -> counter.ask(SessionService.CLOSE, "semel-session", other)))
                .isEqualTo("NOT_FOUND session-unknown");
        assertThat(counter.runs).hasValue(0);
    }

    @Test
    void aSessionOfSomebodyElseIsUnknownAndAFullStoreRefuses() {
        String id = register();
        register();

        assertThat(refusal(() -> counter.ask(SessionService.CLOSE, "semel-session", id, "user", "mallory")))
                .isEqualTo("NOT_FOUND session-unknown");
        assertThat(refusal(this::register)).isEqualTo("RESOURCE_EXHAUSTED sessions-full");
        assertThat(refusal(() -> counter.ask(SessionService.CLOSE))).isEqualTo("INVALID_ARGUMENT malformed-session");
        assertThat(numbered(id, 1, 1).text()).isEqualTo("pay 1");
    }

    @Test
    void aCallerThatHasAsManySessionsAsItMayIsRefusedAndNobodyElse() throws IOException {
        SessionService one =
                SessionService.on(sessions, CALLERS, Session.of("terms")).mostOfCaller(1);
        IdempotencyInterceptor guard = IdempotencyInterceptor.on(Engine.on(store), CALLERS);
        try (Counter bounded = new Counter(guard, one)) {
            String id = bounded.ask(SessionService.REGISTER).get(MetadataKeys.SESSION);

            assertThat(refusal(() -> bounded.ask(SessionService.REGISTER)))
                    .isEqualTo("RESOURCE_EXHAUSTED too-many-sessions");
            assertThat(bounded.ask(SessionService.REGISTER, "user", "bob").get(MetadataKeys.SESSION))
                    .isNotEmpty();
            bounded.ask(SessionService.CLOSE, "semel-session", id);
            assertThat(bounded.ask(SessionService.REGISTER).get(MetadataKeys.SESSION))
                    .isNotEqualTo(id);
        }
        assertThatThrownBy(() -> one.mostOfCaller(0)).hasMessageContaining("at least one session");
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfRecordHasItsStatus(AnswerKind kind) throws IOException {
        Store recorded = new ForwardingStore(store) {
            @Override
            public Claim claim(Call call, String holder, Duration lease) {
                if (peek(call.key()).isEmpty()
                        && Engine.on(store).begin(call, StoredReply.CODEC)
                                instanceof Begun.Started<StoredReply> started) {
                    record(started, kind);
                }
                return super.claim(call, holder, lease);
            }
        };
        IdempotencyInterceptor guard = IdempotencyInterceptor.on(Engine.on(recorded), CALLERS);
        try (Counter other = new Counter(guard, SessionService.on(sessions, CALLERS, Session.of("terms")))) {
            String expected = switch (kind) {
                case VALUE -> "NOT_FOUND null";
                case REJECTED -> "FAILED_PRECONDITION rejected";
                case NOT_RETAINED -> "FAILED_PRECONDITION result-unavailable";
                case UNKNOWN -> "FAILED_PRECONDITION outcome-unknown";
            };
            assertThat(refusal(() -> keyed(other, "a", "pay"))).isEqualTo(expected);
            assertThat(refusal(() -> keyed(other, "a", "pay"))).isEqualTo(expected);
            assertThat(other.runs).hasValue(0);
        }
    }

    private static void record(Begun.Started<StoredReply> started, AnswerKind kind) {
        switch (kind) {
            case VALUE -> started.complete(new StoredReply(5, "no such thing", null));
            case REJECTED -> started.reject(new Rejection("limit", "Too much at once."));
            case NOT_RETAINED -> started.complete(new StoredReply(0, "", new byte[2 << 20]));
            case UNKNOWN -> started.hold("for a test");
        }
    }

    private String register() {
        return counter.ask(SessionService.REGISTER).get(MetadataKeys.SESSION);
    }

    private Got numbered(String session, long number, long first) {
        CallOptions options =
                CallOptions.DEFAULT.withOption(KeyingInterceptor.NUMBER, new RequestNumber(session, number, first));
        return counter.call(Counter.PAY, "pay", options, new KeyingInterceptor());
    }

    private Got keyed(String key, String message) {
        return keyed(counter, key, message);
    }

    private static Got keyed(Counter at, String key, String message) {
        return at.call(
                Counter.PAY,
                message,
                CallOptions.DEFAULT.withOption(KeyingInterceptor.KEY, key),
                new KeyingInterceptor());
    }

    private Got plain(String message) {
        return counter.call(Counter.PAY, message, CallOptions.DEFAULT);
    }

    private static io.grpc.ClientInterceptor attach(String name, String value) {
        return MetadataUtils.newAttachHeadersInterceptor(Counter.headers(name, value));
    }

    private static StatusRuntimeException failure(Runnable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call::run);
    }

    private static String refusal(Runnable call) {
        return Counter.refused(failure(call));
    }
}
