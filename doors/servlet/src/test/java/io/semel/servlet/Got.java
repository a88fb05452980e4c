// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/** A response as it came over the wire. */
record Got(int status, List<String> lines, byte[] body) {

    String text() {
        return new String(body, UTF_8);
    }

    List<String> headers(String name) {
        return lines.stream()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .toList();
    }

    String header(String name) {
        List<String> values = headers(name);
        return values.isEmpty() ? null : values.get(0);
    }

    boolean replayed() {
        return headers("Idempotent-Replayed").equals(List.of("true"));
    }

    /** The name of the problem's type; empty where the answer is none. */
    String problem() {
        String before = "{\"type\":\"urn:semel:problem:";
        return text().startsWith(before) ? text().substring(before.length(), text().indexOf('"', before.length())) : "";
    }
}
