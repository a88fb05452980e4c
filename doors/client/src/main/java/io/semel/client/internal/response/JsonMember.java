// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.response;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads one member of a JSON object, and nothing else of it; what it does not understand has none. */
public final class JsonMember {

    private static final int MOST_DIGITS = 18;
    private static final int DEEPEST = 32;

    private final String json;
    private int at;

    private JsonMember(byte[] json) {
        this.json = new String(json, StandardCharsets.UTF_8);
    }

    /** Null where there is none, or it is no string. */
    public static @Nullable String text(byte[] json, String name) {
        JsonMember reader = new JsonMember(json);
        try {
            return reader.find(name) && reader.peek() == '"' ? reader.string() : null;
        } catch (Unreadable e) {
            return null;
        }
    }

    /** Negative where there is none, or it is no whole number. */
    public static long number(byte[] json, String name) {
        JsonMember reader = new JsonMember(json);
        try {
            return reader.find(name) ? reader.digits() : -1;
        } catch (Unreadable e) {
            return -1;
        }
    }

    private boolean find(String name) throws Unreadable {
        expect('{');
        if (peek() == '}') {
            return false;
        }
        do {
            boolean found = string().equals(name);
            expect(':');
            if (found) {
                return true;
            }
            skipValue(0);
        } while (take(','));
        return false;
    }

    private long digits() throws Unreadable {
        peek();
        int from = at;
        skipWord();
        String word = json.substring(from, at);
        boolean whole = word.length() <= MOST_DIGITS && word.chars().allMatch(c -> c >= '0' && c <= '9');
        return whole ? Long.parseLong(word) : -1;
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
