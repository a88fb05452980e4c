// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.semel.Begun;
import io.semel.LeaseLost;
import io.semel.client.ProblemType;
import io.semel.time.Time;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A call whose answer is held back until it is recorded. */
final class BufferedCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

    /** Answers about the request; all others are about the moment, the caller or a failure, and a retry runs. */
    static final Set<Status.Code> RECORDED = EnumSet.of(
            Status.Code.OK,
            Status.Code.INVALID_ARGUMENT,
            Status.Code.NOT_FOUND,
            Status.Code.ALREADY_EXISTS,
            Status.Code.FAILED_PRECONDITION,
            Status.Code.OUT_OF_RANGE);

    /** Of threads for what may block: a store that does must not keep other calls from being given up. */
    private static final Time TIME = Time.system();

    private static final Duration WHEN_BUSY = Duration.ofSeconds(10);

    private final Begun.Started<StoredReply> started;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean unknown;
    private Metadata headers = new Metadata();
    private @Nullable R message;

    BufferedCall(ServerCall<Q, R> call, Begun.Started<StoredReply> started) {
        super(call);
        this.started = started;
    }

    /** All there is has been asked for, and has come. */
    @Override
    public void request(int count) {}

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void sendHeaders(Metadata given) {
        given.discardAll(MetadataKeys.REPLAYED);
        headers = given;
    }

    @Override
    public void sendMessage(R given) {
        message = given;
    }

    @Override
    public void close(Status status, Metadata trailers) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        ProblemType problem = unknown ? leave() : settle(status);
        if (problem != null) {
            super.close(
                    Status.ABORTED.withDescription("The answer was not recorded. Retry unchanged to find out."),
                    MetadataKeys.refused(problem));
            return;
        }
        // A handler may pass on what another service refused it with; that is not what happened to this call.
        trailers.discardAll(MetadataKeys.REFUSED);
        R answer = message;
        if (answer != null) {
            super.sendHeaders(headers);
            super.sendMessage(answer);
        }
        super.close(status, trailers);
    }

    /** Whatever the handler answers or throws, nobody knows whether its effect landed. */
    void outcomeUnknown() {
        unknown = true;
    }

    private ProblemType leave() {
        started.abandon("its handler does not know");
        return ProblemType.OUTCOME_UNKNOWN;
    }

    /** Why the answer cannot be sent; null if it can. */
    private @Nullable ProblemType settle(Status status) {
        try {
            if (RECORDED.contains(status.getCode())) {
                started.complete(reply(status));
            } else {
                started.release();
            }
            return null;
        } catch (LeaseLost e) {
            return ProblemType.IN_PROGRESS;
        } catch (RuntimeException e) {
            // The engine's listener has been told; a failure that could not be forgotten is true all the same.
            return RECORDED.contains(status.getCode()) ? ProblemType.OUTCOME_UNKNOWN : null;
        }
    }

    /** A marshaller is the application's: if it throws, the work is done all the same, and nobody has its answer. */
    private StoredReply reply(Status status) {
        try {
            return StoredReply.of(getMethodDescriptor(), status, message);
        } catch (RuntimeException | Error e) {
            started.hold("Its answer could not be written: " + e);
            throw e;
        }
    }

    /** The handler threw. */
    void fail(Throwable thrown) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        try {
            if (unknown) {
                leave();
            } else {
                started.release(thrown);
            }
        } catch (RuntimeException | Error e) {
            if (e != thrown) {
                thrown.addSuppressed(e);
            }
        }
    }

    /** Its client is gone: a handler that does not end within this time either is taken for one that never will. */
    void giveUpAfter(Duration grace) {
        if (!ended.get()) {
            TIME.schedule(grace, this::giveUp);
        }
    }

    private void giveUp() {
        try {
            TIME.execute(() -> {
                if (ended.compareAndSet(false, true)) {
                    started.abandon();
                }
            });
        } catch (RuntimeException | Error noThread) {
            TIME.schedule(WHEN_BUSY, this::giveUp);
        }
    }
}
