// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.MalformedKey;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Names one session: an id that the server chose, within the scope (tenant, principal…) of the client that registered it.
 *
 * <p>Whoever knows the id but comes from another scope has another key, and finds nothing.
 */
public record SessionKey(String scope, String id) {

    private static final int RANDOM_BYTES = 16;
    private static final int MOST_ID = 64;
    private static final long MOST_NUMBER = 999_999_999_999_999_999L;
    private static final SecureRandom RANDOM = new SecureRandom();

    public SessionKey {
        if (id.isEmpty() || id.length() > MOST_ID || !isPlain(id)) {
            throw new MalformedKey("The id of a session has 1 to " + MOST_ID
                    + " characters, letters, digits, '-' and '_'; send the one that was given at registration.");
        }
        Key.of(scope, id);
    }

    /** A session that nobody can guess and that was never used before. */
    public static SessionKey random(String scope) {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return new SessionKey(scope, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /**
     * A request of this session, for {@link io.semel.Engine#run}.
     *
     * @param number counted by the client, from 1
     * @param firstOutstanding the first number whose answer the client still waits for; it has received all below
     */
    public Call call(long number, long firstOutstanding, Fingerprint fingerprint) {
        if (firstOutstanding < 1 || firstOutstanding > number || number > MOST_NUMBER) {
            throw new MalformedKey("Request " + number + " with " + firstOutstanding
                    + " as the first outstanding one makes no sense: numbers count from 1 to " + MOST_NUMBER
                    + ", and a request that is sent is outstanding itself.");
        }
        return Call.of(request(number), fingerprint).outstandingFrom(firstOutstanding);
    }

    /** The key of one request. */
    public Key request(long number) {
        return Key.of(scope, id + "/" + number);
    }

    private static boolean isPlain(String id) {
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean plain =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
            if (!plain) {
                return false;
            }
        }
        return true;
    }
}
