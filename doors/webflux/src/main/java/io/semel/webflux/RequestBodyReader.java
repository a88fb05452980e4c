// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Admission;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Takes a request's body in, for the door and for the handler, and notices if somebody in front has read it already.
 *
 * <p>A body that nobody wants is read all the same, up to a bound: a server that has answered before the whole request was there may
 * never read the next one on its connection. Beyond the bound the connection is closed.
 */
final class RequestBodyReader {

    private static final long MOST_SKIPPED = 2 << 20;

    private final ServerWebExchange exchange;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private Admission.@Nullable Reading admitted;
    private long skipped;

    private RequestBodyReader(ServerWebExchange exchange, Admission.@Nullable Reading admitted) {
        this.exchange = exchange;
        this.admitted = admitted;
    }

    static Mono<byte[]> read(ServerWebExchange exchange, Admission.Reading admitted) {
        return Mono.defer(() -> new RequestBodyReader(exchange, admitted).read());
    }

    /** Reads what is not wanted; what somebody in front has read is not there to be skipped. */
    static Mono<Void> skip(ServerWebExchange exchange) {
        return Mono.defer(() -> new RequestBodyReader(exchange, null).all())
                .onErrorComplete(IllegalStateException.class)
                .then();
    }

    private Mono<byte[]> read() {
        return all().flatMap(
                        whole -> admitted != null && isMissing() ? Mono.error(taken()) : Mono.just(body.toByteArray()));
    }

    private Mono<Boolean> all() {
        return exchange.getRequest()
                .getBody()
                .map(this::take)
                .all(taken -> taken)
                .doOnNext(whole -> {
                    if (!whole) {
                        exchange.getResponse().getHeaders().setConnection("close");
                    }
                });
    }

    /** Whether more is to be read. */
    private boolean take(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        if (admitted == null) {
            skipped += bytes.length;
            return skipped <= MOST_SKIPPED;
        }
        body.writeBytes(bytes);
        if (!admitted.update(bytes, 0, bytes.length)) {
            admitted = null;
        }
        return true;
    }

    /** Once it has been read, a body looks like an empty one; so an empty one must say its length. */
    private boolean isMissing() {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        // What a filter in front has decoded may be shorter than it came.
        boolean decoded = body.size() > 0 && headers.getFirst(HttpHeaders.CONTENT_ENCODING) != null;
        return headers.getFirst(HttpHeaders.TRANSFER_ENCODING) != null
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
