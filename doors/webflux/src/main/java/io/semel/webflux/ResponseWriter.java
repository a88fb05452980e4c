// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Puts answers on a response. */
final class ResponseWriter {

    static Mono<Void> send(Answer answer, ServerHttpResponse response) {
        response.setRawStatusCode(answer.status());
        lines(answer.headers(), response.getHeaders());
        return body(answer.status(), answer.body(), response);
    }

    /** Replaces what filters in front have set under these names. */
    static void lines(List<Header> lines, HttpHeaders headers) {
        Set<String> seen = new HashSet<>();
        for (Header line : lines) {
            if (seen.add(line.name().toLowerCase(Locale.ROOT))) {
                headers.set(line.name(), line.value());
            } else {
                headers.add(line.name(), line.value());
            }
        }
    }

    static Mono<Void> body(int status, byte[] body, ServerHttpResponse response) {
        boolean never = status == HttpStatus.NO_CONTENT.value() || status == HttpStatus.NOT_MODIFIED.value();
        if (!never) {
            response.getHeaders().setContentLength(body.length);
        }
        return never || body.length == 0
                ? response.setComplete()
                : response.writeWith(
                        Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }

    private ResponseWriter() {}
}
