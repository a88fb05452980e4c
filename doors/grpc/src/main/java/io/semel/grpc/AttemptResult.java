// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.Attributes;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The result of one attempt, and whether anything was sent. */
final class AttemptResult extends ClientCall.Listener<byte[]> {

    private final HttpRequest request;
    private final CompletableFuture<HttpResponse<byte[]>> answer;
    private @Nullable Metadata headers;
    private byte @Nullable [] message;
    private volatile boolean sent;

    AttemptResult(HttpRequest request, CompletableFuture<HttpResponse<byte[]>> answer) {
        this.request = request;
        this.answer = answer;
    }

    /** A channel may try several times by itself; a stream that it opened may have carried the call to the server. */
    ClientStreamTracer.Factory tracers() {
        return new ClientStreamTracer.Factory() {
            @Override
            public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata any) {
                return new ClientStreamTracer() {
                    @Override
                    public void streamCreated(Attributes transport, Metadata with) {
                        sent = true;
                    }
                };
            }
        };
    }

    @Override
    public void onHeaders(Metadata given) {
        headers = given;
    }

    @Override
    public void onMessage(byte[] given) {
        message = given;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        GrpcAnswer whole = new GrpcAnswer(request, status, headers, message, trailers);
        if (!sent) {
            answer.completeExceptionally(new Unsent(status));
        } else if (whole.isWhole() && (GrpcTransport.isAnswer(status.getCode()) || whole.refused() != null)) {
            answer.complete(whole);
        } else {
            answer.completeExceptionally(status.asException(trailers));
        }
    }

    /** Nothing has left this machine. */
    static final class Unsent extends IOException {

        private static final long serialVersionUID = 1;

        private final transient Status status;

        Unsent(Status status) {
            super("Nothing was sent: " + status, status.getCause());
            this.status = status;
        }

        Status status() {
            return status;
        }
    }
}
