// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import io.semel.Key;
import io.semel.MalformedKey;

/** One request of a session, as a store of sessions reads it from the key of a call. */
public record RequestKey(SessionKey session, long number) {

    private static final int MOST_DIGITS = 18;

    /**
     * The parts of a key that {@link SessionKey#request} made.
     *
     * @throws MalformedKey if it is the key of something else
     */
    public static RequestKey of(Key key) {
        long number = number(key);
        String id = key.id();
        return new RequestKey(new SessionKey(key.scope(), id.substring(0, id.lastIndexOf('/'))), number);
    }

    /** Its number alone. */
    static long number(Key key) {
        String id = key.id();
        int slash = id.lastIndexOf('/');
        long number = slash < 0 ? 0 : number(id, slash + 1);
        if (number == 0) {
            throw new MalformedKey(
                    "The key " + key + " is not that of a request in a session; make its call with SessionKey.call.");
        }
        return number;
    }

    /** Zero where there is none, or one that begins with a zero. */
    private static long number(String text, int start) {
        int digits = text.length() - start;
        if (digits == 0 || digits > MOST_DIGITS || text.charAt(start) == '0') {
            return 0;
        }
        long number = 0;
        for (int i = start; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
