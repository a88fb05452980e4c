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
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One call with a key or number: waits for its message, asks the store, and runs the handler if it is to be run. */
final class Entrance<Q, R> extends ServerCall.Listener<Q> {

    private final Engine engine;
    private final Function<Fingerprint, Call> marked;
    private final ServerCall<Q, R> call;
    private final Metadata headers;
    private final ServerCallHandler<Q, R> next;
    private final Duration grace;
    private @Nullable Q message;
    private ServerCall.@Nullable Listener<Q> handler;

    Entrance(
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
            refuse(Status.INVALID_ARGUMENT.withDescription("A unary call has a message."), "malformed-key");
            return;
        }
        Begun<Reply> begun;
        try {
            byte[] content = Reply.bytes(call.getMethodDescriptor().streamRequest(received));
            Fingerprint body = Fingerprint.of(content);
            begun = engine.begin(
                    marked.apply(Fingerprint.of(call.getMethodDescriptor().getFullMethodName(), body.toString())),
                    Reply.CODEC);
        } catch (MalformedKey e) {
            refuse(Status.INVALID_ARGUMENT.withDescription(e.getMessage()), "malformed-key");
            return;
        } catch (StoreException e) {
            refuse(
                    Status.UNAVAILABLE
                            .withDescription("Nothing was run; retry unchanged.")
                            .withCause(e),
                    "store-unavailable");
            return;
        } catch (Rejection e) {
            refuse(Status.FAILED_PRECONDITION.withDescription(e.getMessage()), "rejected");
            return;
        } catch (UnreadableAnswer e) {
            refuse(
                    Status.INTERNAL
                            .withDescription("It was carried out, and the operators can make its answer readable.")
                            .withCause(e),
                    "result-unreadable");
            return;
        } catch (RuntimeException e) {
            refuse(
                    Status.ABORTED
                            .withDescription("Retry unchanged to learn more.")
                            .withCause(e),
                    "outcome-unknown");
            return;
        }
        if (begun instanceof Begun.Started<Reply> started) {
            run(started, received);
        } else {
            answer(((Begun.Answered<Reply>) begun).outcome());
        }
    }

    private void run(Begun.Started<Reply> started, Q received) {
        HeldCall<Q, R> held = new HeldCall<>(call, started);
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

    private void answer(Outcome<Reply> outcome) {
        if (outcome instanceof Outcome.Done<Reply> done) {
            replay(done.value());
        } else if (outcome instanceof Outcome.Busy<Reply>) {
            refuse(Status.ABORTED.withDescription("It is being carried out; retry unchanged."), "in-progress");
        } else {
            refuse(((Outcome.Refused<Reply>) outcome).reason());
        }
    }

    /** A message that the method's type of answers cannot be read from any more is as good as one that was not kept. */
    private void replay(Reply reply) {
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
        refuse(status(reason).withDescription("It is not carried out now: " + Names.slug(reason)), Names.slug(reason));
    }

    private static Status status(Reason reason) {
        return switch (reason) {
            case MISMATCH -> Status.INVALID_ARGUMENT;
            case SESSION_UNKNOWN -> Status.NOT_FOUND;
            case UNKNOWN -> Status.ABORTED;
            case STALE, SESSION_EXPIRED, OUT_OF_ORDER, WINDOW_FULL, GONE, NOT_RETAINED -> Status.FAILED_PRECONDITION;
        };
    }

    private void refuse(Status status, String why) {
        call.close(status, Names.refused(why));
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
