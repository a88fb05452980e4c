// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.request;

import io.semel.client.HeaderNames;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** The headers that go into a journal: those of this list and no other, because credentials go by many names. */
public final class JournaledHeaders {

    public static final Set<String> STANDARD = Set.of(
            "accept",
            "accept-encoding",
            "accept-language",
            "content-disposition",
            "content-encoding",
            "content-language",
            "content-type",
            HeaderNames.FIRST_OUTSTANDING.toLowerCase(Locale.ROOT),
            HeaderNames.REQUEST.toLowerCase(Locale.ROOT),
            HeaderNames.SESSION.toLowerCase(Locale.ROOT));

    private static final Set<String> NEVER =
            Set.of("authorization", "proxy-authorization", "cookie", "cookie2", "set-cookie");

    public static Set<String> and(Set<String> kept, String... names) {
        Set<String> more = new HashSet<>(kept);
        for (String name : names) {
            if (NEVER.contains(lower(name))) {
                throw new IllegalArgumentException(
                        name + " is a credential and is not written to a journal; add it again when resuming.");
            }
            more.add(lower(name));
        }
        return Set.copyOf(more);
    }

    public static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private JournaledHeaders() {}
}
