// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.semel.client.ClientSession;
import io.semel.client.RetryingClient;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * A client interceptor that sends every unary call under the next number of a session, again and again under the same one until there
 * is an answer, and tells the service which answers have arrived. The counting is {@link ClientSession}'s.
 */
public final class NumberingInterceptor implements ClientInterceptor, AutoCloseable {

    private final ClientSession session;

    private NumberingInterceptor(ClientSession session) {
        this.session = session;
    }

    /**
     * Registers a session with the service behind this client, and keeps it alive from now on.
     *
     * @param client over a {@link GrpcTransport}, with retries, listener and journal as they are wanted
     */
    public static NumberingInterceptor open(RetryingClient client) throws IOException {
        return new NumberingInterceptor(
                ClientSession.open(client, new GrpcSessionProtocol(), UnaryOperator.identity()));
    }

    /** The session: its outstanding requests, and the way to ask again for those that ended as unknown. */
    public ClientSession session() {
        return session;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return method.getType() == MethodDescriptor.MethodType.UNARY
                ? new SessionCall<>(session, method, options, next)
                : next.newCall(method, options);
    }

    /** Tells the service that it may forget the session. */
    @Override
    public void close() {
        session.close();
    }
}
