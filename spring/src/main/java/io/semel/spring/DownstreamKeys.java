// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.http.HeaderNames;
import io.semel.spring.internal.method.AttemptHolder;
import io.semel.time.KeyTime;
import java.io.IOException;
import java.util.Set;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * The interceptor that gives every request with an effect that a {@code RestClient} sends an {@code Idempotency-Key}, once, so that whoever repeats it
 * behind this repeats its key too.
 *
 * <p>Within an attempt at a greater call, of an {@link Idempotent} method or of an HTTP request with a key, the key is derived from
 * that one, so that the next attempt sends the same; there each request needs the attribute {@link #PART}, to be told from the
 * others. A key that the request has already is left as it is.
 */
public final class DownstreamKeys implements ClientHttpRequestInterceptor {

    /** The attribute of a request that says which part of the current call it is, such as {@code charge}. */
    public static final String PART = "io.semel.part";

    private static final Set<String> WITHOUT_EFFECT = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        boolean without = WITHOUT_EFFECT.contains(request.getMethod().name());
        if (!without && request.getHeaders().getFirst(HeaderNames.KEY) == null) {
            request.getHeaders().set(HeaderNames.KEY, key(request));
        }
        return execution.execute(request, body);
    }

    private static String key(HttpRequest request) {
        Object part = request.getAttributes().get(PART);
        if (AttemptHolder.current().isEmpty()) {
            return KeyTime.uuidV7();
        }
        if (part == null) {
            throw new IllegalStateException(request.getMethod() + " "
                    + request.getURI().getRawPath()
                    + " is sent within " + CurrentAttempt.attempt().key()
                    + " without a name for its part of that call, so another attempt could not send the same key."
                    + " Set the request attribute '" + PART
                    + "', such as .attribute(DownstreamKeys.PART, \"charge\"), or a key. The request was not sent.");
        }
        return CurrentAttempt.attempt().derive(part.toString());
    }
}
