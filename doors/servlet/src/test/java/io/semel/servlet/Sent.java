// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** A request as a test writes it, byte for byte. */
record Sent(String method, String target, List<String> lines, byte[] body, boolean chunked) {

    static Sent post(String target) {
        return of("POST", target);
    }

    static Sent of(String method, String target) {
        return new Sent(method, target, List.of(), new byte[0], false);
    }

    Sent key(String value) {
        return header("Idempotency-Key", value);
    }

    Sent header(String name, String value) {
        List<String> more = new ArrayList<>(lines);
        more.add(name + ": " + value);
        return new Sent(method, target, more, body, chunked);
    }

    Sent user(String name) {
        return header("X-User", name);
    }

    Sent at(String other) {
        return new Sent(method, other, lines, body, chunked);
    }

    Sent by(String other) {
        return new Sent(other, target, lines, body, chunked);
    }

    Sent json(String text) {
        return header("Content-Type", "application/json").body(text);
    }

    Sent body(String text) {
        return body(text.getBytes(UTF_8));
    }

    Sent body(byte[] other) {
        return new Sent(method, target, lines, other, chunked);
    }

    Sent inChunks() {
        return new Sent(method, target, lines, body, true);
    }

    byte[] head() {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
        lines.forEach(line -> head.append(line).append("\r\n"));
        head.append(chunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: " + body.length + "\r\n");
        return head.append("\r\n").toString().getBytes(ISO_8859_1);
    }

    byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head());
        if (!chunked) {
            out.writeBytes(body);
            return out.toByteArray();
        }
        for (int from = 0; from < body.length; from += 1000) {
            int length = Math.min(1000, body.length - from);
            out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
            out.write(body, from, length);
            out.writeBytes("\r\n".getBytes(ISO_8859_1));
        }
        out.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
        return out.toByteArray();
    }
}
