// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

/** Bytes as one can read, keep and send them again: a backslash before r, n, t, s (a space), itself, or x and two digits. */
final class Escaped {

    static String of(String bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes.length(); i++) {
            char c = bytes.charAt(i);
            switch (c) {
                case '\r' -> text.append("\\r");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                case '\\' -> text.append("\\\\");
                default -> text.append(c < ' ' || c > '~' ? String.format("\\x%02x", (int) c) : Character.toString(c));
            }
        }
        return text.toString();
    }

    /** The same for reading only: of what is repeated many times the first is shown. */
    static String shown(String bytes) {
        return of(bytes).replaceAll("(?s)(.{1,40}?)\\1{20,}", "$1…");
    }

    static String read(String text) {
        StringBuilder bytes = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                bytes.append(c);
                continue;
            }
            char next = text.charAt(++i);
            switch (next) {
                case 'r' -> bytes.append('\r');
                case 'n' -> bytes.append('\n');
                case 't' -> bytes.append('\t');
                case 's' -> bytes.append(' ');
                case 'x' -> {
                    bytes.append((char) Integer.parseInt(text.substring(i + 1, i + 3), 16));
                    i += 2;
                }
                default -> bytes.append(next);
            }
        }
        return bytes.toString();
    }

    private Escaped() {}
}
