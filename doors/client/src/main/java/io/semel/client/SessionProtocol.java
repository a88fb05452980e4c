// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The protocol by which a client registers sessions: that of the HTTP profile, unless another module brings its own. */
public interface SessionProtocol {

    Intent register();

    /**
     * The terms of the session that the service registered.
     *
     * @throws IOException if it has not registered one, or what it says makes no sense
     */
    Terms terms(HttpResponse<byte[]> registration) throws IOException;

    Intent keepAlive(String session, long firstOutstanding);

    Intent close(String session);

    /**
     * The terms of a session.
     *
     * @param window how many numbers may be outstanding; one, where the session demands order, so that none comes too early
     */
    record Terms(String id, Duration lease, int window) {

        private static final int MOST_ID = 64;
        private static final int MOST_WINDOW = 10_000;

        /** The terms as a service said them; each may be anything. */
        public static Terms of(@Nullable String id, long leaseMillis, long window, boolean ordered) throws IOException {
            if (id == null || !isPlain(id) || leaseMillis < 1 || window < 1 || window > MOST_WINDOW) {
                throw new IOException(
                        "What the service has said of the session makes no sense; it needs an id, a lease in"
                                + " milliseconds and a window of up to " + MOST_WINDOW + ".");
            }
            return new Terms(id, Duration.ofMillis(leaseMillis), ordered ? 1 : (int) window);
        }

        private static boolean isPlain(String id) {
            return !id.isEmpty() && id.length() <= MOST_ID && id.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '/');
        }
    }
}
