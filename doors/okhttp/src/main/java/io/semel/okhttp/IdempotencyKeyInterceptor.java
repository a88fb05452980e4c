// SPDX-License-Identifier: Apache-2.0
package io.semel.okhttp;

import io.semel.Attempt;
import io.semel.time.KeyTime;
import java.io.IOException;
import java.util.Set;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Gives every request with an effect that OkHttp sends an {@code Idempotency-Key}, once, so that redirects, and whoever repeats it
 * behind this, send the same key again.
 *
 * <p>Add it as an application interceptor, in front of those that retry. The key is a new one, or derived from the attempt of
 * {@link Part}, a tag of the request. A key that the request has already is left as it is.
 */
public final class IdempotencyKeyInterceptor implements Interceptor {

    private static final String HEADER = "Idempotency-Key";
    private static final Set<String> WITHOUT_EFFECT = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    /**
     * The part of a greater call that a request is, so that another attempt at that call sends the same key.
     *
     * @param name tells the parts of one call apart
     */
    public record Part(Attempt attempt, String name) {}

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        boolean without = WITHOUT_EFFECT.contains(request.method());
        return chain.proceed(
                without || request.header(HEADER) != null
                        ? request
                        : request.newBuilder().header(HEADER, key(request)).build());
    }

    private static String key(Request request) {
        Part part = request.tag(Part.class);
        return part == null ? KeyTime.uuidV7() : part.attempt().derive(part.name());
    }
}
