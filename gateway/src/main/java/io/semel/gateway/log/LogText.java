// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.log;

import java.util.Locale;

/** Text from outside, made safe to stand in one line of a log. */
public final class LogText {

    /** One word of printable ASCII; other characters are written as backslash, u and four digits. */
    static String word(String text) {
        return escaped(text, '!');
    }

    /** The text with everything but printable ASCII escaped. */
    public static String of(String text) {
        return escaped(text, ' ');
    }

    private static String escaped(String text, char first) {
        StringBuilder safe = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= first && c <= '~' && c != '\\') {
                safe.append(c);
            } else {
                safe.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
        return safe.toString();
    }

    private LogText() {}
}
