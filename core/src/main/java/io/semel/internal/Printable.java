// SPDX-License-Identifier: Apache-2.0
package io.semel.internal;

/** Text from outside, made safe to stand in one line of a message. */
public final class Printable {

    public static String of(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c) || isLineOrFormat(c)) {
                safe.append(String.format(java.util.Locale.ROOT, "\\u%04x", c));
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }

    private static boolean isLineOrFormat(int c) {
        int type = Character.getType(c);
        return type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR || type == Character.FORMAT;
    }

    private Printable() {}
}
