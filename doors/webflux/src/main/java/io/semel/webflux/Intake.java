// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Admission;
import java.io.ByteArrayOutputStream;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.Mono;

/** Takes a request's body in, for the door and for the handler, and notices if somebody in front has read it already. */
record Intake(ServerHttpRequest request, Admission.Reading admitted, ByteArrayOutputStream body) {

    static Mono<byte[]> read(ServerHttpRequest request, Admission.Reading admitted) {
        return Mono.defer(() -> new Intake(request, admitted, new ByteArrayOutputStream()).read());
    }

    private Mono<byte[]> read() {
        return request.getBody()
                .map(this::take)
                .all(taken -> taken)
                .flatMap(whole -> whole && isMissing() ? Mono.error(taken()) : Mono.just(body.toByteArray()));
    }

    /** Whether the rest has to be read too. */
    private boolean take(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        body.writeBytes(bytes);
        return admitted.update(bytes, 0, bytes.length);
    }

    /** Once it has been read, a body looks like an empty one; so an empty one must say its length. */
    private boolean isMissing() {
        HttpHeaders headers = request.getHeaders();
        // What a filter in front has decoded may be shorter than it came.
        boolean decoded = body.size() > 0 && headers.containsHeader(HttpHeaders.CONTENT_ENCODING);
        return headers.containsHeader(HttpHeaders.TRANSFER_ENCODING)
                ? body.size() == 0
                : body.size() < headers.getContentLength() && !decoded;
    }

    /** Without its body, another request with the same key would be taken for a retry. */
    private static IllegalStateException taken() {
        return new IllegalStateException(
                "The body of a request with an idempotency key was read before it came to the idempotency filter, perhaps"
                        + " by getFormData; or it is empty and does not say so with a Content-Length of 0. Put the filter"
                        + " in front of whatever reads it. Nothing was run.");
    }
}
