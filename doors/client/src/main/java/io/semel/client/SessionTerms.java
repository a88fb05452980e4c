// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a service has said about a session when it was registered.
 *
 * @param window how many numbers may be outstanding; one, where the session demands order, so that none comes too early
 */
record SessionTerms(String id, Duration lease, int window) {

    private static final int CREATED = 201;
    private static final int MOST_ID = 64;
    private static final int MOST_WINDOW = 10_000;

    static SessionTerms of(Result registration) throws IOException {
        if (registration instanceof Result.Answered answered
                && answered.response().statusCode() == CREATED) {
            return of(answered.response());
        }
        throw new IOException("The service has not registered a session: " + said(registration)
                + ". Look whether it offers them at this address, and to this caller.");
    }

    private static SessionTerms of(HttpResponse<byte[]> response) throws IOException {
        byte[] json = response.body();
        String id = JsonMember.text(json, "id");
        long lease = JsonMember.number(json, "leaseMillis");
        long window = JsonMember.number(json, "window");
        boolean strict = "strict".equals(JsonMember.text(json, "mode"));
        if (id == null || !isPlain(id) || lease < 1 || window < 1 || window > MOST_WINDOW) {
            throw new IOException("What the service has said of the session makes no sense; it needs an id, leaseMillis"
                    + " and a window of up to " + MOST_WINDOW + ".");
        }
        return new SessionTerms(id, Duration.ofMillis(lease), strict ? 1 : (int) window);
    }

    private static boolean isPlain(String id) {
        return !id.isEmpty() && id.length() <= MOST_ID && id.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '/');
    }

    private static @Nullable Object said(Result result) {
        if (result instanceof Result.Answered answered) {
            return "status " + answered.response().statusCode();
        }
        if (result instanceof Result.Refused refused) {
            return refused.problem();
        }
        return result instanceof Result.NotSent notSent ? notSent.failure() : "no answer came in time";
    }
}
