// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Key;
import io.semel.http.internal.text.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose keys these are: a principal within a tenant, never a credential, so that a rotated token still finds its answers.
 *
 * @param tenant null where there are no tenants
 * @param principal null for the anonymous caller, whom everybody without a name shares
 */
public record Caller(@Nullable String tenant, @Nullable String principal) {

    public Caller {
        check("tenant", tenant);
        check("principal", principal);
    }

    public static Caller of(String principal) {
        return new Caller(null, principal);
    }

    public static Caller of(String tenant, String principal) {
        return new Caller(tenant, principal);
    }

    /** All who have no name: whoever guesses another's key and request is given that one's answer. */
    public static Caller anonymous() {
        return new Caller(null, null);
    }

    /** One caller, one scope; a name that a scope cannot hold goes in as its hash. */
    public String scope(String namespace) {
        List<String> parts = new ArrayList<>(List.of(namespace));
        if (tenant != null) {
            parts.addAll(List.of("tenant", tenant));
        }
        parts.addAll(principal != null ? List.of("principal", principal) : List.of("anonymous"));
        String scope = Key.scope(parts.toArray(String[]::new));
        return fits(scope) ? scope : Key.scope(namespace, "hash", hash(scope));
    }

    private static boolean fits(String scope) {
        return isAscii(scope)
                ? scope.length() <= Key.MAX_BYTES
                : scope.getBytes(StandardCharsets.UTF_8).length <= Key.MAX_BYTES
                        && StandardCharsets.UTF_8.newEncoder().canEncode(scope);
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** Over the characters, so that even names that no charset can carry stay apart. */
    private static String hash(String scope) {
        ByteBuffer bytes = ByteBuffer.allocate(scope.length() * Character.BYTES);
        bytes.asCharBuffer().put(scope);
        return HexFormat.of().formatHex(Sha256.digest().digest(bytes.array()));
    }

    private static void check(String what, @Nullable String name) {
        if (name != null && name.isEmpty()) {
            throw new IllegalArgumentException("The " + what + " of a caller is empty, which is not a name;"
                    + " say anonymous() or leave the tenant out if that is meant.");
        }
    }
}
