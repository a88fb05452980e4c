// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.answer;

import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import io.semel.http.HeaderNames;
import io.semel.http.internal.text.Ascii;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The header lines of an answer that are stored and replayed: those on a list, whatever else the handler sent. */
public final class ReplayedHeaders {

    /** Headers that describe the answer itself, and are as true in a replay. */
    private static final Set<String> REPRESENTATION = namesOf(
            "Allow",
            "Cache-Control",
            "Content-Disposition",
            "Content-Encoding",
            "Content-Language",
            "Content-Location",
            "Content-Type",
            "Deprecation",
            "ETag",
            "Last-Modified",
            "Link",
            "Location",
            "Sunset");

    /** Headers of one connection or one exchange, by RFC 9110 and 9111; they cannot be put on the list. */
    private static final Set<String> NEVER = namesOf(
            "Connection",
            "Content-Length",
            "Date",
            HeaderNames.LIFETIME,
            HeaderNames.REPLAYED,
            "Keep-Alive",
            "Proxy-Authenticate",
            "Proxy-Authentication-Info",
            "Proxy-Authorization",
            "Proxy-Connection",
            "TE",
            "Trailer",
            "Transfer-Encoding",
            "Upgrade");

    public static final ReplayedHeaders STANDARD = new ReplayedHeaders(REPRESENTATION);

    private final Set<String> replayed;

    private ReplayedHeaders(Set<String> replayed) {
        this.replayed = replayed;
    }

    public ReplayedHeaders and(String... names) {
        Set<String> more = namesOf(names);
        for (String name : more) {
            if (NEVER.contains(name)) {
                throw new IllegalArgumentException("The header " + name
                        + " belongs to one exchange and is never replayed; RFC 9110 has the server write it anew.");
            }
        }
        more.addAll(replayed);
        return new ReplayedHeaders(more);
    }

    /** The answer as it is stored. */
    public Answer stored(Answer answer) {
        Set<String> hopByHop = namedByConnection(answer);
        List<Header> kept = new ArrayList<>();
        for (Header header : answer.headers()) {
            boolean listed = replayed.contains(header.name()) && !hopByHop.contains(Ascii.lower(header.name()));
            if (listed && canBeSent(header)) {
                kept.add(header);
            }
        }
        return new Answer(answer.status(), kept, answer.body());
    }

    /** A line break in a name or value would let whoever can write to the store write whole responses. */
    static boolean canBeSent(Header header) {
        String value = header.value();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c != '\t' && (c < ' ' || c == 0x7f)) {
                return false;
            }
        }
        return Ascii.isToken(header.name());
    }

    private static Set<String> namedByConnection(Answer answer) {
        Set<String> named = Set.of();
        for (Header header : answer.headers()) {
            if (header.name().equalsIgnoreCase("Connection")) {
                named = named.isEmpty() ? new HashSet<>() : named;
                for (String name : header.value().split(",", -1)) {
                    named.add(Ascii.lower(name.strip()));
                }
            }
        }
        return named;
    }

    private static Set<String> namesOf(String... names) {
        Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        set.addAll(List.of(names));
        return set;
    }
}
