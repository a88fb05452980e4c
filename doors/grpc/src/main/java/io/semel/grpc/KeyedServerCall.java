// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.MalformedKey;
import io.semel.Outcome;
import io.semel.Outcome.Reason;
import io.semel.Rejection;
import io.semel.StoreException;
import io.semel.UnreadableAnswer;
import io.semel.client.ProblemType;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One call with a key or number: waits for its message, asks the store, and runs the handler if it is to be run. */
final class KeyedServerCall<Q, R> extends ServerCall.Listener<Q> {

    private final Engine engine;
    private final Function<Fingerprint, Call> marked;
    private final ServerCall<Q, R> call;
    private final Metadata headers;
    private final ServerCallHandler<Q, R> next;
    private final Duration grace;
    private @Nullable Q message;
    private ServerCall.@Nullable Listener<Q> handler;

    KeyedServerCall(
            Engine engine,
            Function<Fingerprint, Call> marked,
            ServerCall<Q, R> call,
            Metadata headers,
            ServerCallHandler<Q, R> next,
            Duration grace) {
        this.engine = engine;
        this.grace = grace;
        this.marked = marked;
        this.call = call;
        this.headers = headers;
        this.next = next;
    }

    @Override
    public void onMessage(Q received) {
        message = received;
    }

    @Override
    public void onHalfClose() {
        Q received = message;
        if (received == null) {
            refuse(Status.INVALID_ARGUMENT.withDescription("A unary call has a message."), ProblemType.MALFORMED_KEY);
            return;
        }
        Begun<StoredReply> begun;
        try {
            byte[] content = StoredReply.bytes(call.getMethodDescriptor().streamRequest(received));
            Fingerprint body = Fingerprint.of(content);
            begun = engine.begin(
                    marked.apply(Fingerprint.of(call.getMethodDescriptor().getFullMethodName(), body.toString())),
                    StoredReply.CODEC);
        } catch (MalformedKey e) {
            refuse(Status.INVALID_ARGUMENT.withDescription(e.getMessage()), ProblemType.MALFORMED_KEY);
            return;
        } catch (StoreException e) {
            refuse(
                    Status.UNAVAILABLE
                            .withDescription("The call was not executed. Retry unchanged.")
                            .withCause(e),
                    ProblemType.STORE_UNAVAILABLE);
            return;
        } catch (Rejection e) {
            refuse(Status.FAILED_PRECONDITION.withDescription(e.getMessage()), ProblemType.REJECTED);
            return;
        } catch (UnreadableAnswer e) {
            refuse(
                    Status.INTERNAL
                            .withDescription("The call was executed. An operator can make its stored answer readable.")
                            .withCause(e),
                    ProblemType.RESULT_UNREADABLE);
            return;
        } catch (RuntimeException e) {
            refuse(
                    Status.ABORTED
                            .withDescription("The outcome is unknown. Retry unchanged to find out.")
                            .withCause(e),
                    ProblemType.OUTCOME_UNKNOWN);
            return;
        }
        if (begun instanceof Begun.Started<StoredReply> started) {
            run(started, received);
        } else {
            answer(((Begun.Answered<StoredReply>) begun).outcome());
        }
    }

    private void run(Begun.Started<StoredReply> started, Q received) {
        BufferedCall<Q, R> held = new BufferedCall<>(call, started);
        // Not by onCancel, which waits for a handler that blocks.
        Context.current().addListener(gone -> held.giveUpAfter(grace), Runnable::run);
        Context context = Context.current()
                .withValues(IdempotencyInterceptor.ATTEMPT, started.attempt(), IdempotencyInterceptor.HELD, held);
        try {
            ServerCall.Listener<Q> handling = Contexts.interceptCall(context, held, headers, next);
            handler = handling;
            handling.onMessage(received);
            handling.onHalfClose();
        } catch (Throwable e) {
            held.fail(e);
            throw e;
        }
    }

    private void answer(Outcome<StoredReply> outcome) {
        if (outcome instanceof Outcome.Done<StoredReply> done) {
            replay(done.value());
        } else if (outcome instanceof Outcome.Busy<StoredReply>) {
            refuse(
                    Status.ABORTED.withDescription(
                            "An earlier call with this key or number is still running. Retry unchanged."),
                    ProblemType.IN_PROGRESS);
        } else {
            refuse(((Outcome.Refused<StoredReply>) outcome).reason());
        }
    }

    /** A message that cannot be parsed as the method's response any more counts as not kept. */
    private void replay(StoredReply reply) {
        Optional<R> kept;
        try {
            kept = reply.message(call.getMethodDescriptor());
        } catch (RuntimeException e) {
            refuse(Reason.NOT_RETAINED);
            return;
        }
        reply.replay(call, kept);
    }

    private void refuse(Reason reason) {
        ProblemType problem = problem(reason);
        refuse(status(reason).withDescription("The call is not executed now: " + problem.slug()), problem);
    }

    private static ProblemType problem(Reason reason) {
        return switch (reason) {
            case MISMATCH -> ProblemType.KEY_REUSED;
            case STALE -> ProblemType.SESSION_STALE;
            case GONE -> ProblemType.GONE;
            case UNKNOWN -> ProblemType.OUTCOME_UNKNOWN;
            case NOT_RETAINED -> ProblemType.RESULT_UNAVAILABLE;
            case SESSION_UNKNOWN -> ProblemType.SESSION_UNKNOWN;
            case SESSION_EXPIRED -> ProblemType.SESSION_EXPIRED;
            case OUT_OF_ORDER -> ProblemType.SESSION_OUT_OF_ORDER;
            case WINDOW_FULL -> ProblemType.SESSION_WINDOW_FULL;
        };
    }

    /** FAILED_PRECONDITION where no retry helps before something else has changed, as gRPC has it. */
    private static Status status(Reason reason) {
        return switch (reason) {
            case MISMATCH -> Status.INVALID_ARGUMENT;
            case SESSION_UNKNOWN -> Status.NOT_FOUND;
            case UNKNOWN, STALE, SESSION_EXPIRED, OUT_OF_ORDER, WINDOW_FULL, GONE, NOT_RETAINED ->
                Status.FAILED_PRECONDITION;
        };
    }

    private void refuse(Status status, ProblemType why) {
        call.close(status, MetadataKeys.refused(why));
    }

    @Override
    public void onCancel() {
        if (handler != null) {
            handler.onCancel();
        }
    }

    @Override
    public void onComplete() {
        if (handler != null) {
            handler.onComplete();
        }
    }

    @Override
    public void onReady() {
        if (handler != null) {
            handler.onReady();
        }
    }
}
