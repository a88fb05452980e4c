// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.semel.http.Answer.Header;
import java.util.ArrayList;
import java.util.List;

/** A request as a test writes it. */
record Message(String method, String path, String query, List<Header> lines, Caller caller, byte[] body)
        implements Request {

    static Message post(String path) {
        return of("POST", path);
    }

    static Message of(String method, String path) {
        return new Message(method, path, null, List.of(), Caller.of("alice"), new byte[0]);
    }

    Message key(String line) {
        return header("Idempotency-Key", line);
    }

    Message header(String name, String value) {
        List<Header> more = new ArrayList<>(lines);
        more.add(new Header(name, value));
        return new Message(method, path, query, more, caller, body);
    }

    Message query(String other) {
        return new Message(method, path, other, lines, caller, body);
    }

    Message at(String otherPath) {
        return new Message(method, otherPath, query, lines, caller, body);
    }

    Message by(String otherMethod) {
        return new Message(otherMethod, path, query, lines, caller, body);
    }

    Message from(Caller other) {
        return new Message(method, path, query, lines, other, body);
    }

    Message json(String text) {
        return header("Content-Type", "application/json").body(text);
    }

    Message body(String text) {
        return body(text.getBytes(UTF_8));
    }

    Message body(byte[] other) {
        return new Message(method, path, query, lines, caller, other);
    }

    @Override
    public List<String> headers(String name) {
        return lines.stream()
                .filter(line -> line.name().equalsIgnoreCase(name))
                .map(Header::value)
                .toList();
    }
}
