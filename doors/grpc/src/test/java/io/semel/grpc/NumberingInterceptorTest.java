// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.semel.Engine;
import io.semel.Event;
import io.semel.client.ClientEvent;
import io.semel.client.FileIntents;
import io.semel.client.Intent;
import io.semel.client.Problem;
import io.semel.client.Result;
import io.semel.client.Retries;
import io.semel.client.RetryingClient;
import io.semel.memory.MemoryStore;
import io.semel.session.MemorySessions;
import io.semel.session.Session;
import io.semel.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that counts by itself, with a real server and a line that is cut. */
class NumberingInterceptorTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final GrpcCallers CALLERS = (call, headers) -> "alice";
    private static final Metadata.Key<String> TENANT = Names.name("tenant");
    private static final Metadata.Key<byte[]> TRACE = Metadata.Key.of("trace-bin", Metadata.BINARY_BYTE_MARSHALLER);
    private static final Retries RETRIES = Retries.standard()
            .deadline(Duration.ofSeconds(30))
            .pauses(Duration.ofMillis(1), Duration.ofMillis(10))
            .budget(10_000, 1);

    private final ManualTime time = new ManualTime();
    private final MemorySessions sessions = new MemorySessions(10, time);
    private final List<ClientEvent> events = new CopyOnWriteArrayList<>();
    /** What every call has come with, attempt by attempt. */
    private final List<Metadata> seen = new CopyOnWriteArrayList<>();
    /** The marks that keep-alives brought. */
    private final BlockingQueue<String> keptAlive = new LinkedBlockingQueue<>();

    /** What the server has recorded. */
    private final BlockingQueue<Event> executed = new LinkedBlockingQueue<>();

    private Session terms = Session.of("terms").window(4).lease(LEASE);
    private Counter counter;
    private final Line line;
    private final ManagedChannel channel;
    private final Channel watched;
    private final RetryingClient client;
    /** Gives up at once, so that what is lost ends as unknown. */
    private final RetryingClient resigned;

    NumberingInterceptorTest() throws IOException {
        counter = new Counter(guard(), service());
        line = new Line(counter.port());
        channel = NettyChannelBuilder.forAddress("127.0.0.1", line.port())
                .usePlaintext()
                .build();
        watched = ClientInterceptors.intercept(channel, new Watch());
        client = RetryingClient.over(GrpcTransport.on(watched)).with(RETRIES).listener(events::add);
        resigned = client.with(RETRIES.budget(0, 0));
    }

    private IdempotencyInterceptor guard() {
        Engine numbered = Engine.on(sessions, time).withListener(event -> {
            if (event instanceof Event.Executed) {
                executed.add(event);
            }
        });
        return IdempotencyInterceptor.on(Engine.on(new MemoryStore()), CALLERS).sessions(numbered);
    }

    private BindableService service() {
        SessionService service = SessionService.on(sessions, CALLERS, terms);
        return () -> ServerInterceptors.intercept(service.bindService(), new ServerInterceptor() {
            @Override
            public <Q, R> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
                String mark = headers.get(Names.FIRST_OUTSTANDING);
                if (mark != null) {
                    keptAlive.add(mark);
                }
                return next.startCall(call, headers);
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        channel.shutdownNow();
        line.close();
        counter.close();
    }

    @Test
    void numbersCountFromOneAndTheMarkFollowsTheAnswers() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            for (int i = 1; i <= 10; i++) {
                assertThat(pay(numbers)).isEqualTo("pay " + i);
            }

            assertThat(numbers()).containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
            assertThat(sessions.countSessions().requests()).isEqualTo(1);
            assertThat(numbers.session().outstanding()).isEmpty();
        }
        assertThat(sessions.countSessions().sessions()).isZero();
    }

    @Test
    void case83_whatGotNoAnswerIsSentAgainUnderTheSameNumberAndHappensOnce() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            onFirst(line::cut);

            assertThat(pay(numbers)).isEqualTo("pay 1");
            assertThat(numbers()).containsExactly("1");
            assertThat(events).anyMatch(ClientEvent.Retrying.class::isInstance);
            assertThat(numbers.session().outstanding()).isEmpty();
        }
    }

    @Test
    void whatTheServerNeverGotIsSentAgainToo() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            line.cutBefore("pay");

            assertThat(pay(numbers)).isEqualTo("pay 1");
            assertThat(counter.runs).hasValue(1);
        }
    }

    @Test
    void anAttemptThatTakesTooLongIsFollowedByOthersUntilTheAnswerIsThere() throws Exception {
        CountDownLatch retried = new CountDownLatch(1);
        RetryingClient impatient = client.with(RETRIES.attemptTimeout(Duration.ofMillis(300)))
                .listener(event -> {
                    if (event instanceof ClientEvent.Retrying) {
                        retried.countDown();
                    }
                });
        try (NumberingInterceptor numbers = NumberingInterceptor.open(impatient)) {
            onFirst(() -> await(retried));

            assertThat(pay(numbers)).isEqualTo("pay 1");
            assertThat(counter.runs).hasValue(1);
        }
    }

    @Test
    void aServerThatIsRestartedAnswersWhatWasSentToTheOneBefore() throws Exception {
        AtomicBoolean restarted = new AtomicBoolean();
        RetryingClient watching = client.listener(event -> {
            if (event instanceof ClientEvent.Retrying && restarted.compareAndSet(false, true)) {
                restart();
            }
        });
        try (NumberingInterceptor numbers = NumberingInterceptor.open(watching)) {
            Counter before = counter;
            onFirst(line::cut);

            assertThat(pay(numbers)).isEqualTo("pay 1");
            assertThat(counter).isNotSameAs(before);
            assertThat(before.runs).hasValue(1);
            assertThat(counter.runs).hasValue(0);
            assertThat(pay(numbers)).isEqualTo("pay 1");
        }
    }

    private void restart() {
        int port = counter.port();
        counter.close();
        try {
            counter = new Counter(port, guard(), service());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatNeverLeftThisMachineIsNotOutstanding() throws Exception {
        try (NumberingInterceptor numbers =
                NumberingInterceptor.open(client.with(RETRIES.deadline(Duration.ofMillis(700))))) {
            pay(numbers);
            line.close();
            // One call finds out that the line is dead; from then on the channel knows.
            refusal(() -> pay(numbers));
            numbers.session().outstanding().forEach(each -> numbers.session().giveUp(each.key()));

            assertThat(refusal(() -> pay(numbers))).isEqualTo("UNAVAILABLE not-sent");
            assertThat(numbers.session().outstanding()).isEmpty();
            assertThat(counter.runs).hasValue(1);
        }
    }

    @Test
    void anUnknownOutcomeIsSaidAndHoldsTheMarkUntilItIsAskedForAgain() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(resigned)) {
            onFirst(line::cut);
            StatusRuntimeException lost = failure(() -> pay(numbers));
            assertThat(Counter.refused(lost)).isEqualTo("ABORTED outcome-unknown");
            String key = lost.getTrailers().get(Names.SESSION) + "/"
                    + lost.getTrailers().get(Names.REQUEST);
            pay(numbers);
            pay(numbers);
            assertThat(numbers.session().outstanding()).extracting(Intent::key).containsExactly(key);
            assertThat(sessions.countSessions().requests()).isEqualTo(3);

            Result.Answered found =
                    (Result.Answered) numbers.session().again(key).get(30, TimeUnit.SECONDS);
            pay(numbers);

            assertThat(found.replayed()).isTrue();
            assertThat(new String(found.response().body(), UTF_8)).isEqualTo("pay 1");
            assertThat(found.response().headers().firstValue("grpc-status")).hasValue("0");
            assertThat(numbers()).containsExactly("1", "2", "3", "4");
            assertThat(sessions.countSessions().requests()).isEqualTo(1);
        }
    }

    @Test
    void case74_aCallWaitsForAPlaceInTheWindow() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (NumberingInterceptor numbers = NumberingInterceptor.open(resigned)) {
            onFirst(line::cut);
            failure(() -> pay(numbers));
            for (int i = 2; i <= 4; i++) {
                pay(numbers);
            }
            assertThat(refusal(() -> pay(numbers, CallOptions.DEFAULT.withDeadlineAfter(200, TimeUnit.MILLISECONDS))))
                    .isEqualTo("RESOURCE_EXHAUSTED window-full");

            Future<String> waiting = threads.submit(() -> pay(numbers));
            numbers.session().giveUp(numbers.session().outstanding().get(0).key());

            assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("pay 5");
            assertThat(numbers()).containsExactly("1", "2", "3", "4", "5");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aLostSessionTellsWhatIsUnknownAndSendsNothingAnew() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(resigned)) {
            onFirst(line::cut);
            failure(() -> pay(numbers));
            String key = numbers.session().outstanding().get(0).key();
            // A request that still ran would keep its session alive.
            assertThat(executed.poll(30, TimeUnit.SECONDS)).isNotNull();
            time.advance(LEASE);

            assertThat(refusal(() -> pay(numbers))).isEqualTo("FAILED_PRECONDITION session-expired");
            assertThat(numbers.session().isOver()).isTrue();
            assertThat(numbers.session().outstanding()).extracting(Intent::key).containsExactly(key);
            assertThat(events)
                    .contains(new ClientEvent.SessionLost(key.substring(0, key.indexOf('/')), Problem.SESSION_EXPIRED));
            assertThat(refusal(() -> pay(numbers))).isEqualTo("FAILED_PRECONDITION session-over");
            assertThat(counter.runs).hasValue(1);
        }
    }

    @Test
    void aCallEndsByItsOwnDeadlineAndStaysOutstanding() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            onFirst(() -> await(ended));
            assertThat(refusal(() -> pay(numbers, CallOptions.DEFAULT.withDeadlineAfter(500, TimeUnit.MILLISECONDS))))
                    .isEqualTo("DEADLINE_EXCEEDED outcome-unknown");
            ended.countDown();

            String key = numbers.session().outstanding().get(0).key();
            assertThat(numbers.session().again(key).get(30, TimeUnit.SECONDS)).isInstanceOf(Result.Answered.class);
            assertThat(counter.runs).hasValue(1);
            assertThat(refusal(() -> pay(numbers, CallOptions.DEFAULT.withDeadlineAfter(-1, TimeUnit.SECONDS))))
                    .isEqualTo("DEADLINE_EXCEEDED not-sent");
        }
    }

    @Test
    void aCallWhoseContextEndsIsCancelledAndStaysOutstanding() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client);
                Context.CancellableContext context = Context.current().withCancellation()) {
            onFirst(() -> {
                begun.countDown();
                await(ended);
            });
            Future<String> call = context.call(() ->
                    ClientCalls.futureUnaryCall(through(numbers).newCall(Counter.PAY, CallOptions.DEFAULT), "pay"));
            await(begun);
            context.cancel(null);

            assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS)).hasMessageContaining("CANCELLED");
            ended.countDown();
            assertThat(numbers.session().outstanding()).hasSize(1);
        }
    }

    @Test
    void whatARestartOfTheClientInterruptedIsFinishedUnderItsOldNumber(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("intents");
        NumberingInterceptor killed;
        try (FileIntents intents = FileIntents.open(file)) {
            killed = NumberingInterceptor.open(resigned.journal(intents, "tenant"));
            onFirst(line::cut);
            failure(() -> pay(killed, CallOptions.DEFAULT, tenant("seven")));
        }
        String key = killed.session().outstanding().get(0).key();
        try (FileIntents intents = FileIntents.open(file)) {
            List<Result> finished =
                    client.journal(intents).resume(intent -> intent).get(30, TimeUnit.SECONDS);

            Result.Answered answered = (Result.Answered) finished.get(0);
            assertThat(answered.key()).isEqualTo(key);
            assertThat(answered.replayed()).isTrue();
            assertThat(new String(answered.response().body(), UTF_8)).isEqualTo("pay 1");
            assertThat(intents.unfinished()).isEmpty();
            assertThat(seen).hasSize(2).allMatch(each -> "seven".equals(each.get(TENANT)));
        }
        killed.close();
    }

    @Test
    void everyNumberHasOneEffectHoweverOftenTheLineIsCut() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        Random random = new Random(7);
        counter.handler = request -> {
            int run = counter.runs.incrementAndGet();
            if (random.nextInt(3) == 0) {
                line.cut();
            }
            return request + " " + run;
        };
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            List<Callable<String>> work = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                work.add(() -> pay(numbers));
            }
            for (Future<String> each : threads.invokeAll(work)) {
                assertThat(each.get()).startsWith("pay ");
            }

            assertThat(counter.runs).hasValue(60);
            assertThat(numbers()).hasSize(60).doesNotHaveDuplicates();
            assertThat(numbers.session().outstanding()).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void case80_aSessionIsKeptAliveWhileNothingIsSent() throws Exception {
        Duration lease = Duration.ofMillis(600);
        terms = terms.lease(lease);
        restart();
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            pay(numbers);
            String mark = "";
            for (int i = 0; i < 6; i++) {
                // What came while this thread was held up has been counted by the store's clock as it was then.
                keptAlive.clear();
                mark = keptAlive.poll(30, TimeUnit.SECONDS);
                time.advance(lease.dividedBy(3));
            }

            assertThat(mark).isEqualTo("2");
            assertThat(pay(numbers)).isEqualTo("pay 2");
        }
    }

    @Test
    void metadataOfACallComesWithEveryAttempt() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            onFirst(line::cut);
            Metadata binary = new Metadata();
            binary.put(TRACE, new byte[] {0, -1, 10});

            pay(numbers, CallOptions.DEFAULT, tenant("seven"), MetadataUtils.newAttachHeadersInterceptor(binary));

            assertThat(seen).hasSizeGreaterThan(1).allSatisfy(each -> {
                assertThat(each.get(TENANT)).isEqualTo("seven");
                assertThat(each.get(TRACE)).containsExactly(0, -1, 10);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "CANCELLED",
                "UNKNOWN",
                "DEADLINE_EXCEEDED",
                "RESOURCE_EXHAUSTED",
                "ABORTED",
                "INTERNAL",
                "UNAVAILABLE",
                "DATA_LOSS"
            })
    void aFailureThatTheServerForgetsIsFollowedByAnotherAttempt(Status.Code code) throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            onFirst(() -> {
                throw code.toStatus().asRuntimeException();
            });

            assertThat(pay(numbers)).isEqualTo("pay 2");
            assertThat(numbers()).containsExactly("1", "1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAUTHENTICATED", "PERMISSION_DENIED", "UNIMPLEMENTED", "NOT_FOUND"})
    void whatWillNotChangeIsNotAskedForAgain(Status.Code code) throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            onFirst(() -> {
                throw code.toStatus().asRuntimeException();
            });

            assertThat(refusal(() -> pay(numbers))).isEqualTo(code + " null");
            assertThat(counter.runs).hasValue(1);
            assertThat(numbers.session().outstanding()).isEmpty();
        }
    }

    @Test
    void whatIsOfHttpAloneIsRefused() {
        assertThatThrownBy(() -> client.problemBase("https://pages.example/")).hasMessageContaining("over HTTP");
    }

    @Test
    void anErrorOfTheServiceIsAnAnswer() throws Exception {
        counter.handler = request -> {
            counter.runs.incrementAndGet();
            throw Status.FAILED_PRECONDITION.withDescription("no money").asRuntimeException();
        };
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            StatusRuntimeException refused = failure(() -> pay(numbers));

            assertThat(refused.getStatus().getDescription()).isEqualTo("no money");
            assertThat(Counter.refused(refused)).isEqualTo("FAILED_PRECONDITION null");
            assertThat(numbers.session().outstanding()).isEmpty();
        }
    }

    @Test
    void whatAServiceBehindTheServiceRefusedIsNotTakenForThisSessions() throws Exception {
        counter.handler = request -> {
            throw Status.FAILED_PRECONDITION.asRuntimeException(Names.refused("session-expired"));
        };
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            assertThat(refusal(() -> pay(numbers))).isEqualTo("FAILED_PRECONDITION null");
            assertThat(numbers.session().isOver()).isFalse();
        }
    }

    @Test
    void aServiceThatMakesNoSessionIsAnError() {
        counter.close();

        assertThatThrownBy(() -> NumberingInterceptor.open(client.with(RETRIES.deadline(Duration.ofMillis(300)))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has not registered a session");
    }

    /** What the first call does before its answer is sent. */
    private void onFirst(Runnable act) {
        counter.handler = request -> {
            int run = counter.runs.incrementAndGet();
            if (run == 1) {
                act.run();
            }
            return request + " " + run;
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The numbers that were carried out. */
    private List<String> numbers() {
        return counter.keys.stream()
                .map(key -> key.substring(key.indexOf('/') + 1))
                .toList();
    }

    private Channel through(NumberingInterceptor numbers, ClientInterceptor... above) {
        return ClientInterceptors.intercept(ClientInterceptors.intercept(watched, numbers), above);
    }

    private String pay(NumberingInterceptor numbers) {
        return pay(numbers, CallOptions.DEFAULT);
    }

    private String pay(NumberingInterceptor numbers, CallOptions options, ClientInterceptor... above) {
        return ClientCalls.blockingUnaryCall(through(numbers, above), Counter.PAY, options, "pay");
    }

    private static ClientInterceptor tenant(String name) {
        Metadata metadata = new Metadata();
        metadata.put(TENANT, name);
        return MetadataUtils.newAttachHeadersInterceptor(metadata);
    }

    private final class Watch implements ClientInterceptor {

        @Override
        public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<R> listener, Metadata headers) {
                    if (method.getFullMethodName().equals(Counter.PAY.getFullMethodName())) {
                        seen.add(headers);
                    }
                    super.start(listener, headers);
                }
            };
        }
    }

    private static StatusRuntimeException failure(Callable<String> call) {
        return catchThrowableOfType(StatusRuntimeException.class, call::call);
    }

    private static String refusal(Callable<String> call) {
        return Counter.refused(failure(call));
    }
}
