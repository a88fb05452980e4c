// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.semel.client.Intent;
import io.semel.client.ProblemType;
import io.semel.client.Transport;
import io.semel.time.KeyTime;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Unary calls as attempts of a {@code RetryingClient}, which brings their retries, budget and journal; {@link NumberingInterceptor}
 * brings the calls. A call is there what it is on the wire: a request to the path of its method, with its metadata as headers, and an
 * answer with {@code grpc-status}.
 */
public final class GrpcTransport implements Transport {

    private static final String PLACE = "http://grpc/";

    /** Answers about the caller or the server as a whole, which are never recorded: silent about earlier attempts. */
    private static final Set<Status.Code> ASIDE =
            EnumSet.of(Status.Code.UNAUTHENTICATED, Status.Code.PERMISSION_DENIED, Status.Code.UNIMPLEMENTED);

    private final Channel channel;
    private final CallOptions options;
    private final Context context;

    GrpcTransport(Channel channel, CallOptions options, Context context) {
        this.channel = channel;
        this.options = options;
        this.context = context;
    }

    /** Calls over this channel, which has to bring along what shows who calls. */
    public static GrpcTransport on(Channel channel) {
        return new GrpcTransport(channel, CallOptions.DEFAULT, Context.ROOT);
    }

    /** A call that shall happen once, under a key until it gets a number. */
    static Intent intent(MethodDescriptor<?, ?> method, Map<String, List<String>> headers, byte[] message) {
        URI path = URI.create(PLACE + method.getFullMethodName());
        return Intent.restored(KeyTime.uuidV7(), "POST", path, headers, message, Instant.now());
    }

    @Override
    public CompletableFuture<HttpResponse<byte[]>> send(Intent intent, HttpRequest request, int largestAnswer) {
        CompletableFuture<HttpResponse<byte[]>> answer = new CompletableFuture<>();
        AttemptResult reception = new AttemptResult(request, answer);
        Integer own = options.getMaxInboundMessageSize();
        CallOptions each = options.withStreamTracerFactory(reception.tracers())
                .withMaxInboundMessageSize(own == null ? largestAnswer : Math.min(own, largestAnswer));
        context.run(() -> {
            ClientCall<byte[], byte[]> call = channel.newCall(method(request), each);
            call.start(reception, WireFormat.metadata(request.headers()));
            call.sendMessage(intent.body());
            call.halfClose();
            call.request(2);
            var unused = answer.whenComplete((any, failure) -> {
                if (answer.isCancelled()) {
                    call.cancel("This attempt was given up.", null);
                }
            });
        });
        return answer;
    }

    private static MethodDescriptor<byte[], byte[]> method(HttpRequest request) {
        return WireFormat.unary(request.uri().getRawPath().substring(1));
    }

    @Override
    public Verdict judge(HttpResponse<byte[]> response) {
        GrpcAnswer answer = (GrpcAnswer) response;
        String why = answer.refused();
        ProblemType problem = why == null ? null : ProblemType.named(why);
        if (problem == null) {
            return Verdict.of(ASIDE.contains(answer.status().getCode()) ? Evidence.ASIDE : Evidence.ANSWER, false);
        }
        // An outcome that the server could not record may be known in a moment; one that waits for an operator may not.
        boolean soon = problem == ProblemType.OUTCOME_UNKNOWN && answer.status().getCode() == Status.Code.ABORTED;
        return soon ? new Verdict(Evidence.MAYBE, true, problem, null) : Verdict.of(problem);
    }

    @Override
    public Verdict judge(Throwable failure) {
        if (failure instanceof AttemptResult.Unsent unsent) {
            return Verdict.of(Evidence.NOT_SENT, unsent.status().getCode() == Status.Code.UNAVAILABLE);
        }
        return Verdict.of(Evidence.MAYBE, true);
    }

    /** Whether a status is an answer at all: others are about the moment, or a failure, and the same number may be sent again. */
    static boolean isAnswer(Status.Code code) {
        return BufferedCall.RECORDED.contains(code) || ASIDE.contains(code);
    }

    @Override
    public String toString() {
        return "gRPC to " + channel.authority();
    }
}
