// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.semel.MalformedKey;
import io.semel.StoreException;
import io.semel.client.ProblemType;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.session.SessionStore.Registration;
import io.semel.session.SessionStore.State;
import java.util.Locale;

/**
 * The service {@code semel.Sessions}, with which clients register sessions, keep them alive and close them. Its messages are empty,
 * as {@code google.protobuf.Empty} is; what is said is said in metadata.
 */
public final class SessionService implements BindableService {

    private static final String NAME = "semel.Sessions";

    /** Registers a session; the answer's headers have its id and terms. */
    public static final MethodDescriptor<byte[], byte[]> REGISTER = method("Register");

    /** Says that the client of {@code semel-session} is there. */
    public static final MethodDescriptor<byte[], byte[]> KEEP_ALIVE = method("KeepAlive");

    /** Ends {@code semel-session}. */
    public static final MethodDescriptor<byte[], byte[]> CLOSE = method("Close");

    private final SessionStore store;
    private final GrpcCallerResolver callers;
    private final Session terms;
    private final int mostOfCaller;

    private SessionService(SessionStore store, GrpcCallerResolver callers, Session terms, int mostOfCaller) {
        this.store = store;
        this.callers = callers;
        this.terms = terms;
        this.mostOfCaller = mostOfCaller;
    }

    /**
     * The service over this store.
     *
     * @param terms the mode, window and lease of the sessions that clients get; its key has no meaning
     */
    public static SessionService on(SessionStore store, GrpcCallerResolver callers, Session terms) {
        return new SessionService(store, callers, terms, Integer.MAX_VALUE);
    }

    /** The same, with at most so many sessions for one caller, so that none can take all that the store may hold. */
    public SessionService mostOfCaller(int sessions) {
        if (sessions < 1) {
            throw new IllegalArgumentException("A caller may have at least one session, not " + sessions + ".");
        }
        return new SessionService(store, callers, terms, sessions);
    }

    @Override
    public ServerServiceDefinition bindService() {
        return ServerServiceDefinition.builder(NAME)
                .addMethod(REGISTER, (call, headers) -> answering(call, headers, this::register))
                .addMethod(KEEP_ALIVE, (call, headers) -> answering(call, headers, this::keepAlive))
                .addMethod(CLOSE, (call, headers) -> answering(call, headers, this::close))
                .build();
    }

    private Said register(String scope, Metadata headers) {
        Session session = new Session(SessionKey.random(scope), terms.mode(), terms.window(), terms.lease());
        Registration registration = store.register(session, mostOfCaller);
        if (registration != Registration.LIVE) {
            boolean own = registration == Registration.SCOPE_FULL;
            return Said.refusal(
                    Status.RESOURCE_EXHAUSTED, own ? ProblemType.TOO_MANY_SESSIONS : ProblemType.SESSIONS_FULL);
        }
        Metadata answer = new Metadata();
        answer.put(MetadataKeys.SESSION, session.key().id());
        answer.put(MetadataKeys.LEASE, Long.toString(session.lease().toMillis()));
        answer.put(MetadataKeys.WINDOW, Integer.toString(session.window()));
        answer.put(MetadataKeys.MODE, session.mode().name().toLowerCase(Locale.ROOT));
        return new Said(Status.OK, answer);
    }

    private Said keepAlive(String scope, Metadata headers) {
        boolean said = headers.containsKey(MetadataKeys.FIRST_OUTSTANDING);
        long first = said ? CallIdentity.number(headers, MetadataKeys.FIRST_OUTSTANDING) : 1;
        State state = store.keepAlive(CallIdentity.session(headers, scope), first);
        return switch (state) {
            case LIVE -> new Said(Status.OK, new Metadata());
            case EXPIRED -> Said.refusal(Status.FAILED_PRECONDITION, ProblemType.SESSION_EXPIRED);
            case UNKNOWN -> Said.refusal(Status.NOT_FOUND, ProblemType.SESSION_UNKNOWN);
        };
    }

    private Said close(String scope, Metadata headers) {
        return store.close(CallIdentity.session(headers, scope))
                ? new Said(Status.OK, new Metadata())
                : Said.refusal(Status.NOT_FOUND, ProblemType.SESSION_UNKNOWN);
    }

    private ServerCall.Listener<byte[]> answering(ServerCall<byte[], byte[]> call, Metadata headers, Desk desk) {
        call.request(2);
        return new ServerCall.Listener<>() {
            @Override
            public void onHalfClose() {
                answer(call, headers, desk).send(call);
            }
        };
    }

    private Said answer(ServerCall<byte[], byte[]> call, Metadata headers, Desk desk) {
        try {
            return desk.ask(IdempotencyInterceptor.scope(callers.of(call, headers)), headers);
        } catch (MalformedKey e) {
            return Said.refusal(Status.INVALID_ARGUMENT.withDescription(e.getMessage()), ProblemType.MALFORMED_SESSION);
        } catch (StoreException e) {
            return Said.refusal(Status.UNAVAILABLE.withCause(e), ProblemType.STORE_UNAVAILABLE);
        }
    }

    private static MethodDescriptor<byte[], byte[]> method(String name) {
        return WireFormat.unary(MethodDescriptor.generateFullMethodName(NAME, name));
    }

    /** Whether a call is for here, and so has no key or number of its own. */
    static boolean takes(MethodDescriptor<?, ?> method) {
        return NAME.equals(method.getServiceName());
    }

    /** One of the methods. */
    private interface Desk {

        Said ask(String scope, Metadata headers);
    }

    /** An answer: headers if it went well, else trailers. */
    private record Said(Status status, Metadata metadata) {

        static Said refusal(Status status, ProblemType why) {
            return new Said(status, MetadataKeys.refused(why));
        }

        void send(ServerCall<byte[], byte[]> call) {
            if (!status.isOk()) {
                call.close(status, metadata);
                return;
            }
            call.sendHeaders(metadata);
            call.sendMessage(new byte[0]);
            call.close(status, new Metadata());
        }
    }
}
