// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.http.KeyField.Fault;
import io.semel.http.internal.field.MalformedField;
import io.semel.http.internal.field.StructuredItem;
import io.semel.http.internal.text.Ascii;
import java.util.List;

/** The syntax of a key header; every dialect refuses a malformed key instead of ignoring it. */
public enum KeyDialect {
    /** A structured string if it begins with a quote, raw otherwise; both spellings of one text are one key. */
    LENIENT {
        @Override
        String text(String line) throws MalformedField {
            String trimmed = trim(line);
            return trimmed.startsWith("\"") ? StructuredItem.string(trimmed) : raw(trimmed);
        }
    },
    /** A string item of RFC 9651, as the IETF draft asks for; parameters are read and have no meaning. */
    IETF {
        @Override
        String text(String line) throws MalformedField {
            return StructuredItem.string(line);
        }
    },
    /** Letters, digits and {@code . _ ~ : + / = -}, without quotes, as most vendors document it. */
    RAW {
        @Override
        String text(String line) throws MalformedField {
            return raw(trim(line));
        }
    };

    /** Reads all field lines of the header, however long the key is. */
    public KeyField read(List<String> lines) {
        return read(lines, Integer.MAX_VALUE);
    }

    /** Reads all field lines of the header; the limit counts characters of the key, after unescaping. */
    public KeyField read(List<String> lines, int mostCharacters) {
        if (lines.isEmpty()) {
            return new KeyField.Absent();
        }
        if (lines.size() > 1) {
            return new KeyField.Malformed(
                    Fault.REPEATED, "The request has " + lines.size() + " key fields; send exactly one.");
        }
        try {
            return checked(text(lines.get(0)), mostCharacters);
        } catch (MalformedField fault) {
            return fault.field();
        }
    }

    abstract String text(String line) throws MalformedField;

    private static KeyField checked(String key, int mostCharacters) {
        if (key.isEmpty()) {
            return new KeyField.Malformed(Fault.EMPTY, "The key is empty; send at least one character.");
        }
        if (key.length() > mostCharacters) {
            return new KeyField.Malformed(
                    Fault.TOO_LONG,
                    "The key has " + key.length() + " characters, at most " + mostCharacters + " are allowed.");
        }
        return new KeyField.Present(key);
    }

    private static String raw(String text) throws MalformedField {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Ascii.isAlpha(c) && !Ascii.isDigit(c) && "._~:+/=-".indexOf(c) < 0) {
                throw new MalformedField(
                        Fault.SYNTAX,
                        Ascii.name(c) + " at position " + i
                                + " cannot stand in a key without quotes; letters, digits and . _ ~ : + / = - can.");
            }
        }
        return text;
    }

    /** Takes off the optional white space that RFC 9110 allows around a field value, where the server left it on. */
    private static String trim(String line) {
        int from = 0;
        int to = line.length();
        while (from < to && isBlank(line.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(line.charAt(to - 1))) {
            to--;
        }
        return line.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
