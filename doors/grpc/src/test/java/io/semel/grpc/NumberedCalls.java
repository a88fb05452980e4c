// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.semel.Engine;
import io.semel.Event;
import io.semel.client.ClientEvent;
import io.semel.client.RetryPolicy;
import io.semel.client.RetryingClient;
import io.semel.memory.MemoryStore;
import io.semel.session.MemorySessions;
import io.semel.session.Session;
import io.semel.testkit.ManualTime;
import io.semel.testkit.fault.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** A client that counts by itself, with a real server and a line that can be cut; and short words for its calls. */
abstract class NumberedCalls {

    static final Duration LEASE = Duration.ofMinutes(1);
    private static final GrpcCallerResolver CALLERS = (call, headers) -> "alice";
    static final Metadata.Key<String> TENANT = MetadataKeys.name("tenant");
    static final Metadata.Key<byte[]> TRACE = Metadata.Key.of("trace-bin", Metadata.BINARY_BYTE_MARSHALLER);
    static final RetryPolicy RETRIES = RetryPolicy.standard()
            .deadline(Duration.ofSeconds(30))
            .pauses(Duration.ofMillis(1), Duration.ofMillis(10))
            .budget(10_000, 1);

    final ManualTime time = new ManualTime();
    final MemorySessions sessions = new MemorySessions(10, time);
    final List<ClientEvent> events = new CopyOnWriteArrayList<>();
    /** What every call has come with, attempt by attempt. */
    final List<Metadata> seen = new CopyOnWriteArrayList<>();
    /** The marks that keep-alives brought. */
    final BlockingQueue<String> keptAlive = new LinkedBlockingQueue<>();

    /** What the server has recorded. */
    final BlockingQueue<Event> executed = new LinkedBlockingQueue<>();

    Session terms = Session.of("terms").window(4).lease(LEASE);
    Counter counter;
    final Wire line;
    private final ManagedChannel channel;
    private final Channel watched;
    final RetryingClient client;
    /** Gives up at once, so that what is lost ends as unknown. */
    final RetryingClient resigned;

    NumberedCalls() {
        try {
            counter = new Counter(guard(), service());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        line = Wire.to(counter.port());
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
                String mark = headers.get(MetadataKeys.FIRST_OUTSTANDING);
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

    void restart() {
        int port = counter.port();
        counter.close();
        try {
            counter = new Counter(port, guard(), service());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the first call does before its answer is sent. */
    void onFirst(Runnable act) {
        counter.handler = request -> {
            int run = counter.runs.incrementAndGet();
            if (run == 1) {
                act.run();
            }
            return request + " " + run;
        };
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The numbers that were carried out. */
    List<String> numbers() {
        return counter.keys.stream()
                .map(key -> key.substring(key.indexOf('/') + 1))
                .toList();
    }

    Channel through(NumberingInterceptor numbers, ClientInterceptor... above) {
        return ClientInterceptors.intercept(ClientInterceptors.intercept(watched, numbers), above);
    }

    String pay(NumberingInterceptor numbers) {
        return pay(numbers, CallOptions.DEFAULT);
    }

    String pay(NumberingInterceptor numbers, CallOptions options, ClientInterceptor... above) {
        return ClientCalls.blockingUnaryCall(through(numbers, above), Counter.PAY, options, "pay");
    }

    static ClientInterceptor tenant(String name) {
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

    static StatusRuntimeException failure(Callable<String> call) {
        return catchThrowableOfType(StatusRuntimeException.class, call::call);
    }

    static String refusal(Callable<String> call) {
        return Counter.refused(failure(call));
    }
}
