// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the type of a problem document (RFC 9457), and nothing else of it; whatever it does not understand has no type. */
final class ProblemType {

    private static final String MEDIA_TYPE = "application/problem+json";
    private static final int LARGEST = 64 << 10;
    private static final int DEEPEST = 32;

    private final String json;
    private int at;

    private ProblemType(String json) {
        this.json = json;
    }

    static @Nullable String of(HttpResponse<byte[]> response) {
        String type = response.headers().firstValue("Content-Type").orElse("").strip();
        boolean problem = type.regionMatches(true, 0, MEDIA_TYPE, 0, MEDIA_TYPE.length());
        return problem && response.body().length <= LARGEST ? of(response.body()) : null;
    }

    static @Nullable String of(byte[] body) {
        try {
            return new ProblemType(new String(body, StandardCharsets.UTF_8)).member();
        } catch (Unreadable e) {
            return null;
        }
    }

    private @Nullable String member() throws Unreadable {
        expect('{');
        if (peek() == '}') {
            return null;
        }
        do {
            boolean type = string().equals("type");
            expect(':');
            if (type) {
                return peek() == '"' ? string() : null;
            }
            skipValue(0);
        } while (take(','));
        return null;
    }

    private void skipValue(int depth) throws Unreadable {
        char first = peek();
        if (depth > DEEPEST) {
            throw new Unreadable();
        }
        if (first == '"') {
            string();
        } else if (first == '{' || first == '[') {
            skipNested(first == '{', depth + 1);
        } else {
            skipWord();
        }
    }

    private void skipNested(boolean object, int depth) throws Unreadable {
        at++;
        char end = object ? '}' : ']';
        if (take(end)) {
            return;
        }
        do {
            if (object) {
                string();
                expect(':');
            }
            skipValue(depth);
        } while (take(','));
        expect(end);
    }

    private void skipWord() throws Unreadable {
        int from = at;
        while (at < json.length() && "+-.0123456789Eaeflnrstu".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        if (at == from) {
            throw new Unreadable();
        }
    }

    private String string() throws Unreadable {
        expect('"');
        StringBuilder text = new StringBuilder();
        for (char c = next(); c != '"'; c = next()) {
            text.append(c == '\\' ? escaped() : c);
        }
        return text.toString();
    }

    private char escaped() throws Unreadable {
        char c = next();
        int plain = "\"\\/bfnrt".indexOf(c);
        if (plain >= 0) {
            return "\"\\/\b\f\n\r\t".charAt(plain);
        }
        int code = c == 'u' ? 0 : -1;
        for (int i = 0; i < 4 && code >= 0; i++) {
            int digit = Character.digit(next(), 16);
            code = digit < 0 ? -1 : code << 4 | digit;
        }
        if (code < 0) {
            throw new Unreadable();
        }
        return (char) code;
    }

    private void expect(char wanted) throws Unreadable {
        if (!take(wanted)) {
            throw new Unreadable();
        }
    }

    private boolean take(char wanted) throws Unreadable {
        boolean taken = peek() == wanted;
        at += taken ? 1 : 0;
        return taken;
    }

    private char peek() throws Unreadable {
        while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        if (at == json.length()) {
            throw new Unreadable();
        }
        return json.charAt(at);
    }

    private char next() throws Unreadable {
        if (at == json.length()) {
            throw new Unreadable();
        }
        return json.charAt(at++);
    }

    /** Not a JSON object as far as it was read. */
    private static final class Unreadable extends Exception {

        private static final long serialVersionUID = 1;

        Unreadable() {
            super(null, null, false, false);
        }
    }
}
