// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A request as it goes over the wire, byte for byte. */
record WireRequest(String method, String target, List<String> lines, byte[] body) {

    static WireRequest of(String method, String target) {
        return new WireRequest(method, target, List.of(), new byte[0]);
    }

    WireRequest key(String value) {
        return header("Idempotency-Key", value);
    }

    WireRequest header(String name, String value) {
        return new WireRequest(
                method,
                target,
                Stream.concat(lines.stream(), Stream.of(name + ": " + value)).toList(),
                body);
    }

    WireRequest without(String name) {
        List<String> others = new ArrayList<>(lines);
        others.removeIf(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1));
        return new WireRequest(method, target, others, body);
    }

    WireRequest instead(String name, String value) {
        return without(name).header(name, value);
    }

    WireRequest at(String other) {
        return new WireRequest(method, other, lines, body);
    }

    WireRequest by(String other) {
        return new WireRequest(other, target, lines, body);
    }

    WireRequest saying(String text) {
        return new WireRequest(method, target, lines, text.getBytes(UTF_8));
    }

    byte[] bytes() {
        String head = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + String.join("\r\n", lines)
                + "\r\nContent-Length: " + body.length + "\r\n\r\n";
        byte[] start = head.getBytes(ISO_8859_1);
        byte[] whole = Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, whole, start.length, body.length);
        return whole;
    }
}
