// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.semel.Attempt;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.MalformedKey;
import io.semel.client.ProblemType;
import io.semel.time.KeyTime;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server interceptor that lets a unary call with a key, or with a number in a session, happen once and answers its retries: the
 * answer is held back, recorded, and only then sent. Put it behind authentication.
 */
public final class IdempotencyInterceptor implements ServerInterceptor {

    /** The context key of a handler's attempt: fence, keys for downstream calls. */
    public static final Context.Key<Attempt> ATTEMPT = Context.key("io.semel.attempt");

    static final Context.Key<BufferedCall<?, ?>> HELD = Context.key("io.semel.held-call");

    private static final Duration SKEW = Duration.ofMinutes(5);

    private final Engine keys;
    private final @Nullable Engine numbers;
    private final GrpcCallerResolver callers;
    private final Duration grace;

    private IdempotencyInterceptor(Engine keys, @Nullable Engine numbers, GrpcCallerResolver callers, Duration grace) {
        this.keys = keys;
        this.numbers = numbers;
        this.callers = callers;
        this.grace = grace;
    }

    /** An interceptor for keys; those that are UUIDs of version 7 carry their own time. It logs the policy that holds. */
    public static IdempotencyInterceptor on(Engine engine, GrpcCallerResolver callers) {
        Engine dated = engine.with(engine.operation().keyTime(KeyTime.UUID_V7, SKEW));
        System.getLogger("io.semel.grpc")
                .log(System.Logger.Level.INFO, "Calls with an idempotency key are guarded: " + dated + ".");
        return new IdempotencyInterceptor(dated, null, callers, Duration.ofMinutes(10));
    }

    /** The same with sessions beside keys, by an engine on their store; its operation is replaced by that of keys. */
    public IdempotencyInterceptor sessions(Engine engine) {
        Engine undated = engine.with(keys.operation().keyTime(KeyTime.NONE, SKEW));
        return new IdempotencyInterceptor(keys, undated, callers, grace);
    }

    /**
     * The time that a handler has after its client has hung up or its deadline has passed, 10 minutes by default. Then a retry meets
     * the operation's policy for abandoned calls: a handler that never ends would hold its key for ever.
     */
    public IdempotencyInterceptor giveUpAfter(Duration span) {
        if (span.isNegative()) {
            throw new IllegalArgumentException("The time to give up after is from zero, not " + span + ".");
        }
        return new IdempotencyInterceptor(keys, numbers, callers, span);
    }

    /**
     * For a handler, in its {@link Context}: nobody knows whether its effect landed, such as after a commit that was cut. The key is
     * left as a crash would leave it, whatever the handler answers or throws. Without a key it does nothing.
     */
    public static void outcomeUnknown() {
        BufferedCall<?, ?> held = HELD.get();
        if (held != null) {
            held.outcomeUnknown();
        }
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!CallIdentity.arePresent(headers) || SessionService.takes(call.getMethodDescriptor())) {
            return next.startCall(call, headers);
        }
        Engine engine = CallIdentity.isNumbered(headers) ? numbers : keys;
        if (call.getMethodDescriptor().getType() != MethodDescriptor.MethodType.UNARY || engine == null) {
            return refused(
                    call,
                    Status.UNIMPLEMENTED,
                    ProblemType.UNSUPPORTED,
                    "Only unary calls can have a key here"
                            + (numbers == null ? ", and no call a session." : " or a session."));
        }
        try {
            String scope = scope(callers.of(call, headers));
            // What is malformed is refused before anything is read.
            CallIdentity.call(headers, scope, Fingerprint.none());
            call.request(2);
            return new KeyedServerCall<>(
                    engine, print -> CallIdentity.call(headers, scope, print), call, headers, next, grace);
        } catch (MalformedKey e) {
            return refused(call, Status.INVALID_ARGUMENT, ProblemType.MALFORMED_KEY, e.getMessage());
        }
    }

    /** One caller, one scope. */
    static String scope(String caller) {
        return Key.scope("grpc", caller);
    }

    private static <Q> ServerCall.Listener<Q> refused(
            ServerCall<Q, ?> call, Status status, ProblemType why, @Nullable String detail) {
        call.close(status.withDescription(detail), MetadataKeys.refused(why));
        return new ServerCall.Listener<>() {};
    }
}
