// SPDX-License-Identifier: Apache-2.0
package io.semel;

import io.semel.internal.Printable;
import io.semel.internal.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * What must happen once: an id that a client chose, within a scope (tenant, principal, operation…) that the server chose.
 *
 * <p>Keys are exact (S10): nothing is trimmed, folded or cut. Both parts are bounded, and strings that UTF-8 cannot
 * carry are refused, because two of them would become one key in a store.
 */
public record Key(String scope, String id) implements Comparable<Key> {

    /** The most bytes that a scope or an id may take in UTF-8. */
    public static final int MAX_BYTES = 1024;

    /** The length of {@link #hash()}. */
    public static final int HASH_BYTES = 16;

    public Key {
        check("scope", scope);
        check("id", id);
    }

    public static Key of(String scope, String id) {
        return new Key(scope, id);
    }

    /** Joins the parts of a scope so that no two different lists of parts give the same scope. */
    public static String scope(String... parts) {
        StringBuilder joined = new StringBuilder();
        for (String part : parts) {
            if (joined.length() > 0) {
                joined.append('/');
            }
            joined.append(part.isEmpty() ? "~e" : part.replace("~", "~0").replace("/", "~1"));
        }
        return joined.toString();
    }

    /** A stable hash of scope and id, the same in every process and version, for stores that want fixed-size ids. */
    public byte[] hash() {
        MessageDigest sha = Sha256.digest();
        Sha256.update(sha, scope.getBytes(StandardCharsets.UTF_8));
        Sha256.update(sha, id.getBytes(StandardCharsets.UTF_8));
        return Arrays.copyOf(sha.digest(), HASH_BYTES);
    }

    /** By scope, then id; a map uses it where hash codes collide, so that keys chosen to collide cost it little. */
    @Override
    public int compareTo(Key other) {
        int scopes = scope.compareTo(other.scope);
        return scopes != 0 ? scopes : id.compareTo(other.id);
    }

    /** {@code scope/id}, with control characters escaped so that a hostile key cannot forge a log line. */
    @Override
    public String toString() {
        return Printable.of(scope) + "/" + Printable.of(id);
    }

    private static void check(String part, String text) {
        if (text.isEmpty()) {
            throw new MalformedKey("The " + part + " of a key is empty; give at least one character.");
        }
        int bytes = utf8Length(part, text);
        if (bytes > MAX_BYTES) {
            throw new MalformedKey("The " + part + " of a key takes " + bytes + " bytes in UTF-8, at most " + MAX_BYTES
                    + " are allowed; send a shorter one, or a hash of it.");
        }
    }

    private static int utf8Length(String part, String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 2;
                i++;
            } else if (Character.isSurrogate(c)) {
                throw new MalformedKey("The " + part + " of a key has half a surrogate pair at index " + i
                        + "; such a string has no UTF-8 form, so two keys could become one.");
            } else {
                bytes += c < 0x800 ? 1 : 2;
            }
        }
        return bytes;
    }
}
