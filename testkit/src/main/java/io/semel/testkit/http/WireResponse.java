// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A response as it came over the wire, and what a test expects of it. */
record WireResponse(int status, List<String> lines, byte[] body) {

    private static final Pattern TYPE = Pattern.compile("\"type\"\\s*:\\s*\"(?:[^\"]*[:/])?([a-z-]+)\"");

    String text() {
        return new String(body, UTF_8);
    }

    List<String> headers(String name) {
        return lines.stream()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .toList();
    }

    boolean has(String name) {
        return !headers(name).isEmpty();
    }

    boolean replayed() {
        return headers("Idempotent-Replayed").equals(List.of("true"));
    }

    /** The last part of the problem's type; empty where the answer is none. */
    String problem() {
        Matcher type = TYPE.matcher(text());
        boolean problem =
                headers("Content-Type").stream().anyMatch(each -> each.startsWith("application/problem+json"));
        return problem && type.find() ? type.group(1) : "";
    }

    /** The service's own answer, which is no replay. */
    WireResponse isFirst(int expected) {
        assertEquals(expected, status, this::toString);
        assertEquals(List.of(), headers("Idempotent-Replayed"), "a first answer has no marker");
        return this;
    }

    /** Status and bytes as at first, with the marker. */
    WireResponse replays(WireResponse first) {
        assertEquals(first.status, status, this::toString);
        assertArrayEquals(first.body, body, "the bytes of the first answer");
        assertEquals(List.of("true"), headers("Idempotent-Replayed"), this::toString);
        return this;
    }

    WireResponse refuses(int expected, String type) {
        assertEquals(type, problem(), this::toString);
        assertEquals(expected, status, this::toString);
        return this;
    }

    /** A 400, also by a server that refuses such bytes before a door sees them. */
    void isBad(String sent) {
        assertEquals(400, status, () -> "the answer to " + sent);
    }

    /** The client is told to send the same again. */
    void asksForARetry() {
        assertTrue(has("Retry-After"), "Retry-After says that a retry is worthwhile");
    }

    @Override
    public String toString() {
        return status + " " + lines + " " + text();
    }
}
