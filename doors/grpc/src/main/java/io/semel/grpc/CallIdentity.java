// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.Metadata;
import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.MalformedKey;
import io.semel.session.SessionKey;
import java.util.ArrayList;
import java.util.List;

/** The identity of a call: its key, or its number in a session. */
final class CallIdentity {

    private static final int LONGEST_KEY = 255;
    private static final int MOST_DIGITS = 18;

    static boolean arePresent(Metadata headers) {
        return headers.containsKey(MetadataKeys.KEY) || isNumbered(headers);
    }

    static boolean isNumbered(Metadata headers) {
        return headers.containsKey(MetadataKeys.SESSION)
                || headers.containsKey(MetadataKeys.REQUEST)
                || headers.containsKey(MetadataKeys.FIRST_OUTSTANDING);
    }

    /** @throws MalformedKey with what is wrong */
    static Call call(Metadata headers, String scope, Fingerprint print) {
        if (!isNumbered(headers)) {
            return Call.of(Key.of(scope, key(headers)), print);
        }
        if (headers.containsKey(MetadataKeys.KEY)) {
            throw new MalformedKey("The call has both a key and a number in a session; send one of them.");
        }
        long number = number(headers, MetadataKeys.REQUEST);
        long first = number(headers, MetadataKeys.FIRST_OUTSTANDING);
        return session(headers, scope).call(number, first, print);
    }

    static SessionKey session(Metadata headers, String scope) {
        return new SessionKey(scope, one(headers, MetadataKeys.SESSION));
    }

    static long number(Metadata headers, Metadata.Key<String> name) {
        String digits = one(headers, name);
        boolean decimal = digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!decimal || digits.isEmpty() || digits.length() > MOST_DIGITS || digits.charAt(0) == '0') {
            throw new MalformedKey(name.name() + " is a number from 1, of at most " + MOST_DIGITS + " digits.");
        }
        return Long.parseLong(digits);
    }

    private static String key(Metadata headers) {
        String key = one(headers, MetadataKeys.KEY);
        if (key.length() > LONGEST_KEY) {
            throw new MalformedKey("A key has at most " + LONGEST_KEY + " characters.");
        }
        return key;
    }

    private static String one(Metadata headers, Metadata.Key<String> name) {
        List<String> all = new ArrayList<>();
        Iterable<String> found = headers.getAll(name);
        if (found != null) {
            found.forEach(all::add);
        }
        if (all.size() != 1) {
            throw new MalformedKey("Send exactly one " + name.name() + "; there are " + all.size() + ".");
        }
        return all.get(0);
    }

    private CallIdentity() {}
}
