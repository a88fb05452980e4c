// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** A real gRPC server that counts what it does, and a channel that retries by itself what is unavailable. */
final class Counter implements AutoCloseable {

    static final MethodDescriptor<String, String> PAY = method("Pay", MethodType.UNARY);
    static final MethodDescriptor<String, String> STREAM = method("Stream", MethodType.SERVER_STREAMING);

    /** What begins with this cannot be sent. */
    static final String UNWRITABLE = "unwritable";

    final AtomicInteger runs = new AtomicInteger();
    final List<String> keys = new CopyOnWriteArrayList<>();
    volatile UnaryOperator<String> handler = request -> request + " " + runs.incrementAndGet();

    private final Server server;
    private final ManagedChannel channel;

    Counter(IdempotencyInterceptor guard, BindableService... beside) throws IOException {
        this(0, guard, beside);
    }

    /** At a port of its own choice where this is 0. */
    Counter(int port, IdempotencyInterceptor guard, BindableService... beside) throws IOException {
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        // Around all services, also that of the sessions, which has no keys.
        builder.intercept(guard).addService(service());
        for (BindableService each : beside) {
            builder.addService(each);
        }
        server = builder.build().start();
        Map<String, Object> policy = Map.of(
                "maxAttempts",
                4.0,
                "initialBackoff",
                "0.01s",
                "maxBackoff",
                "0.1s",
                "backoffMultiplier",
                2.0,
                "retryableStatusCodes",
                List.of("UNAVAILABLE"));
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .enableRetry()
                .defaultServiceConfig(
                        Map.of("methodConfig", List.of(Map.of("name", List.of(Map.of()), "retryPolicy", policy))))
                .build();
    }

    int port() {
        return server.getPort();
    }

    private ServerServiceDefinition service() {
        return ServerServiceDefinition.builder("test.Counter")
                .addMethod(PAY, ServerCalls.asyncUnaryCall((request, answers) -> {
                    if (IdempotencyInterceptor.ATTEMPT.get() != null) {
                        keys.add(IdempotencyInterceptor.ATTEMPT.get().key().id());
                    }
                    try {
                        answers.onNext(handler.apply(request));
                        answers.onCompleted();
                    } catch (StatusRuntimeException e) {
                        answers.onError(e);
                    }
                }))
                .addMethod(STREAM, ServerCalls.asyncServerStreamingCall((request, answers) -> {
                    answers.onNext(handler.apply(request));
                    answers.onCompleted();
                }))
                .build();
    }

    /** An answer with its metadata. */
    record Got(String text, Metadata headers) {

        boolean replayed() {
            return "true".equals(headers.get(MetadataKeys.REPLAYED));
        }
    }

    Got call(MethodDescriptor<String, String> method, String request, CallOptions options, ClientInterceptor... more) {
        AtomicReference<Metadata> headers = new AtomicReference<>(new Metadata());
        AtomicReference<Metadata> trailers = new AtomicReference<>();
        var through = ClientInterceptors.intercept(
                ClientInterceptors.intercept(channel, MetadataUtils.newCaptureMetadataInterceptor(headers, trailers)),
                more);
        String text = ClientCalls.blockingUnaryCall(
                through, method, options.withDeadlineAfter(30, TimeUnit.SECONDS), request);
        return new Got(text, headers.get());
    }

    /** A call whose answer nobody waits for. */
    ClientCall<String, String> begin(String key, String message) {
        ClientCall<String, String> call = channel.newCall(PAY, CallOptions.DEFAULT);
        call.start(new ClientCall.Listener<>() {}, headers("idempotency-key", key));
        call.sendMessage(message);
        call.halfClose();
        call.request(1);
        return call;
    }

    /** The headers of the answer of the service for sessions. */
    Metadata ask(MethodDescriptor<byte[], byte[]> method, String... headers) {
        Metadata sent = headers(headers);
        AtomicReference<Metadata> got = new AtomicReference<>(new Metadata());
        var through = ClientInterceptors.intercept(
                channel,
                MetadataUtils.newCaptureMetadataInterceptor(got, new AtomicReference<>()),
                MetadataUtils.newAttachHeadersInterceptor(sent));
        ClientCalls.blockingUnaryCall(
                through, method, CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS), new byte[0]);
        return got.get();
    }

    static Metadata headers(String... namesAndValues) {
        Metadata metadata = new Metadata();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            metadata.put(Metadata.Key.of(namesAndValues[i], Metadata.ASCII_STRING_MARSHALLER), namesAndValues[i + 1]);
        }
        return metadata;
    }

    static String refused(StatusRuntimeException e) {
        return e.getStatus().getCode() + " " + e.getTrailers().get(MetadataKeys.REFUSED);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
        try {
            server.awaitTermination(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static MethodDescriptor<String, String> method(String name, MethodType type) {
        return MethodDescriptor.<String, String>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("test.Counter", name))
                .setRequestMarshaller(new Text())
                .setResponseMarshaller(new Text())
                .build();
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {

        @Override
        public InputStream stream(String value) {
            if (value.startsWith(UNWRITABLE)) {
                throw new IllegalStateException("A marshaller failed.");
            }
            return new ByteArrayInputStream(value.getBytes(UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
