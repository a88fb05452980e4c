// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import io.semel.Key;
import io.semel.MalformedKey;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One request of a session, as a store of sessions reads it from the key of a call. */
public record RequestKey(SessionKey session, long number) {

    private static final Pattern FORM = Pattern.compile("(.+)/([1-9][0-9]{0,17})");

    /**
     * The parts of a key that {@link SessionKey#request} made.
     *
     * @throws MalformedKey if it is the key of something else
     */
    public static RequestKey of(Key key) {
        Matcher parts = FORM.matcher(key.id());
        if (!parts.matches()) {
            throw new MalformedKey(
                    "The key " + key + " is not that of a request in a session; make its call with SessionKey.call.");
        }
        return new RequestKey(new SessionKey(key.scope(), parts.group(1)), Long.parseLong(parts.group(2)));
    }
}
