// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.text;

import java.util.Locale;

/** Writes strings as JSON. */
public final class JsonText {

    /** With quotes; what UTF-8 cannot carry is always escaped, what is not ASCII only if asked for. */
    public static void quote(String text, StringBuilder out, boolean asciiOnly) {
        out.append('"');
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> append(c, out, asciiOnly);
            }
        });
        out.append('"');
    }

    private static void append(int c, StringBuilder out, boolean asciiOnly) {
        boolean halfPair = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        if (c >= ' ' && !halfPair && (c < 0x7f || !asciiOnly)) {
            out.appendCodePoint(c);
            return;
        }
        for (char unit : Character.toChars(c)) {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
        }
    }

    private JsonText() {}
}
