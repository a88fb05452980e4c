// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.request;

import io.semel.client.HeaderNames;

/**
 * The header that carries the key.
 *
 * @param quoted as a string of RFC 9651, instead of the bare text that most services document
 */
public record KeyHeader(String name, boolean quoted) {

    public static final KeyHeader STANDARD = new KeyHeader(HeaderNames.KEY, false);

    private static final int LONGEST = 255;
    private static final String MARKS = "._~:+/=-";

    public static String checked(String key) {
        boolean visible = key.chars().allMatch(c -> c >= ' ' && c <= '~');
        if (key.isEmpty() || key.length() > LONGEST || !visible) {
            throw new IllegalArgumentException(
                    "A key has from 1 to " + LONGEST + " characters of visible ASCII; this has " + key.length()
                            + (visible ? "." : ", some of them others. Send a hash of it."));
        }
        return key;
    }

    public String value(String key) {
        return quoted ? "\"" + key.replace("\\", "\\\\").replace("\"", "\\\"") + "\"" : key;
    }

    /** Refuses a key that could not be told from another, or not be read, in this spelling. */
    public void check(String key) {
        if (quoted || key.chars().allMatch(KeyHeader::isBare)) {
            return;
        }
        throw new IllegalArgumentException(
                "Without quotes a key has letters, digits and . _ ~ : + / = - alone; use such a key,"
                        + " or quotedKeys() if the service reads strings of RFC 9651.");
    }

    private static boolean isBare(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || MARKS.indexOf(c) >= 0;
    }
}
