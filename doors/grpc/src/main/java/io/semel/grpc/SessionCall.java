// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.semel.client.ClientSession;
import io.semel.client.ProblemType;
import io.semel.client.Result;
import io.semel.client.StopReason;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One unary call in a session: all of its attempts are one call to whoever makes it, and end by its deadline. */
final class SessionCall<Q, R> extends ClientCall<Q, R> {

    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Executor DIRECT = Runnable::run;

    private final ClientSession session;
    private final MethodDescriptor<Q, R> method;
    private final CallOptions options;
    private final Channel next;
    private final Context context = Context.current();
    private final Context.CancellationListener cancelled =
            ended -> cancel("Its context ended.", ended.cancellationCause());
    private final AtomicBoolean over = new AtomicBoolean();

    private Listener<R> listener = new Listener<>() {};
    private Metadata headers = new Metadata();
    private byte[] message = {};
    private volatile @Nullable CompletableFuture<Result> result;

    SessionCall(ClientSession session, MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        this.session = session;
        this.method = method;
        this.options = options;
        this.next = next;
    }

    @Override
    public void start(Listener<R> given, Metadata with) {
        listener = given;
        headers = with;
    }

    @Override
    public void sendMessage(Q given) {
        message = StoredReply.bytes(method.streamRequest(given));
    }

    /** The answer of a unary call is small enough to be had at once. */
    @Override
    public void request(int count) {}

    @Override
    public void halfClose() {
        Duration left = left();
        if (left.isZero()) {
            end(Status.DEADLINE_EXCEEDED.withDescription("The call was not sent."), MetadataKeys.refused("not-sent"));
            return;
        }
        // The attempts have a time of their own, and none of them is the call that a blocked thread waits for.
        CallOptions each = options.withDeadline(null).withExecutor(null);
        CompletableFuture<Result> sent = session.via(new GrpcTransport(next, each, context.fork()), left)
                .submit(GrpcTransport.intent(method, WireFormat.headers(headers), message));
        result = sent;
        context.addListener(cancelled, DIRECT);
        var unused = sent.whenComplete((known, failure) -> {
            context.removeListener(cancelled);
            if (known != null) {
                end(known);
            } else {
                end(
                        Status.INTERNAL
                                .withDescription("The call cannot be sent.")
                                .withCause(failure),
                        MetadataKeys.refused("not-sent"));
            }
        });
        if (over.get()) {
            sent.cancel(true);
        }
    }

    private Duration left() {
        Deadline own = options.getDeadline();
        Deadline around = context.getDeadline();
        Deadline first = own == null || around == null ? (own == null ? around : own) : own.minimum(around);
        long nanos = first == null ? LONGEST.toNanos() : first.timeRemaining(TimeUnit.NANOSECONDS);
        return Duration.ofNanos(Math.max(0, Math.min(LONGEST.toNanos(), nanos)));
    }

    /** A call that may have been sent stays outstanding in the session. */
    @Override
    public void cancel(@Nullable String why, @Nullable Throwable cause) {
        end(Status.CANCELLED.withDescription(why).withCause(cause), new Metadata());
        CompletableFuture<Result> sent = result;
        if (sent != null) {
            sent.cancel(true);
        }
    }

    private void end(Result known) {
        if (known instanceof Result.Answered answered) {
            end((GrpcAnswer) answered.response());
        } else if (known instanceof Result.Refused refused) {
            end((GrpcAnswer) refused.response());
        } else if (known instanceof Result.Unknown unknown) {
            Metadata trailers = MetadataKeys.refused(ProblemType.OUTCOME_UNKNOWN);
            int slash = unknown.key().indexOf('/');
            trailers.put(MetadataKeys.SESSION, unknown.key().substring(0, slash));
            trailers.put(MetadataKeys.REQUEST, unknown.key().substring(slash + 1));
            Status status = left().isZero() ? Status.DEADLINE_EXCEEDED : Status.ABORTED;
            end(
                    status.withDescription("The call may have been executed. Ask again with the session under "
                                    + unknown.key() + "; another call may do it twice.")
                            .withCause(unknown.failure()),
                    trailers);
        } else {
            Result.NotSent not = (Result.NotSent) known;
            end(status(not.stop()).withCause(not.failure()), MetadataKeys.refused(refused(not.stop())));
        }
    }

    private Status status(StopReason stop) {
        return switch (stop) {
            case WINDOW_FULL ->
                Status.RESOURCE_EXHAUSTED.withDescription(
                        "Too many calls of the session have no answer; see what is outstanding.");
            case SESSION_OVER -> Status.FAILED_PRECONDITION.withDescription("The session was lost or closed.");
            default ->
                (left().isZero() ? Status.DEADLINE_EXCEEDED : Status.UNAVAILABLE)
                        .withDescription("The call was not sent: " + stop);
        };
    }

    private static String refused(StopReason stop) {
        return switch (stop) {
            case WINDOW_FULL -> "window-full";
            case SESSION_OVER -> "session-over";
            default -> "not-sent";
        };
    }

    private void end(GrpcAnswer answer) {
        deliver(() -> {
            if (answer.metadata() != null) {
                listener.onHeaders(answer.metadata());
            }
            Status status = answer.status();
            byte[] given = answer.message();
            if (given != null && status.isOk()) {
                try {
                    listener.onMessage(method.parseResponse(new ByteArrayInputStream(given)));
                } catch (RuntimeException e) {
                    status = Status.INTERNAL
                            .withDescription("It was carried out, but its answer cannot be read.")
                            .withCause(e);
                }
            }
            listener.onClose(status, answer.trailers());
        });
    }

    private void end(Status status, Metadata trailers) {
        deliver(() -> listener.onClose(status, trailers));
    }

    /** Once, and where the caller of a blocking stub is waiting for it. */
    private void deliver(Runnable end) {
        if (over.compareAndSet(false, true)) {
            Executor executor = options.getExecutor();
            (executor == null ? DIRECT : executor).execute(end);
        }
    }
}
