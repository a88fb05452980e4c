// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a unary call as it is on the wire: a response of HTTP/2, whose status is in {@code grpc-status}.
 *
 * @param metadata null where there were only trailers
 * @param message null if there was none
 */
record GrpcAnswer(
        HttpRequest request, Status status, @Nullable Metadata metadata, byte @Nullable [] message, Metadata trailers)
        implements HttpResponse<byte[]> {

    private static final int OK = 200;

    /** Why the door did not run it, or cannot answer; null if that is not the door's answer. */
    @Nullable
    String refused() {
        return trailers.get(MetadataKeys.REFUSED);
    }

    /** A call that went well has a message. */
    boolean isWhole() {
        return !status.isOk() || message != null;
    }

    @Override
    public HttpHeaders headers() {
        Map<String, List<String>> all =
                metadata == null ? WireFormat.headers(trailers) : WireFormat.headers(metadata, trailers);
        all.put("grpc-status", List.of(Integer.toString(status.getCode().value())));
        String said = status.getDescription();
        if (said != null) {
            all.put("grpc-message", List.of(said));
        }
        return HttpHeaders.of(all, (name, value) -> true);
    }

    @Override
    public byte[] body() {
        return message == null ? new byte[0] : message;
    }

    @Override
    public int statusCode() {
        return OK;
    }

    @Override
    public Optional<HttpResponse<byte[]>> previousResponse() {
        return Optional.empty();
    }

    @Override
    public Optional<SSLSession> sslSession() {
        return Optional.empty();
    }

    @Override
    public URI uri() {
        return request.uri();
    }

    @Override
    public HttpClient.Version version() {
        return HttpClient.Version.HTTP_2;
    }
}
