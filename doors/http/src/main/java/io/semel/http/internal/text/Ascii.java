// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.text;

import java.util.Locale;

/** Questions about characters whose answers depend on no locale. */
public final class Ascii {

    public static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    public static boolean isAlpha(char c) {
        return isLower(c) || (c >= 'A' && c <= 'Z');
    }

    public static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** A character of an HTTP token (RFC 9110, section 5.6.2). */
    public static boolean isToken(char c) {
        return isAlpha(c) || isDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }

    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isToken(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    public static boolean areDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isDigit(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    public static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /** A character as it can be named to a client without repeating it. */
    public static String name(char c) {
        return String.format(Locale.ROOT, "The character U+%04X", (int) c);
    }

    private Ascii() {}
}
