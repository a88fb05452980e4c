// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.frame;

import io.semel.Codec;
import io.semel.UnreadableAnswer;
import io.semel.internal.Printable;
import java.nio.charset.StandardCharsets;

/** What wrote a stored answer: the form of its body, and the version of the application; either may be empty. */
public record AnswerOrigin(String form, String version) {

    public static final AnswerOrigin NONE = new AnswerOrigin("", "");

    static final int MOST_FORM = 32;
    static final int MOST_VERSION = 64;

    public AnswerOrigin {
        check("The form of a codec", form, MOST_FORM);
        checkVersion(version);
    }

    public static void checkVersion(String version) {
        check("The version of an operation", version, MOST_VERSION);
    }

    /** Whether an answer of this form is what the codec reads; an answer without a form may be. */
    public boolean isReadBy(Codec<?> codec) {
        return form.isEmpty() || form.equals(codec.form());
    }

    /** Both, each after its length in one byte. */
    byte[] bytes() {
        byte[] bytes = new byte[2 + form.length() + version.length()];
        put(form, bytes, 0);
        put(version, bytes, 1 + form.length());
        return bytes;
    }

    static AnswerOrigin read(byte[] stored, int from) {
        String form = text(stored, from, MOST_FORM);
        return new AnswerOrigin(form, text(stored, from + 1 + form.length(), MOST_VERSION));
    }

    private static void put(String text, byte[] bytes, int at) {
        bytes[at] = (byte) text.length();
        System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, bytes, at + 1, text.length());
    }

    private static String text(byte[] stored, int at, int most) {
        int length = at < stored.length ? stored[at] : -1;
        if (length < 0 || length > most || at + 1 + length > stored.length) {
            throw UnreadableAnswer.damaged("A stored answer is damaged: its header breaks off.", null);
        }
        String text = new String(stored, at + 1, length, StandardCharsets.US_ASCII);
        if (!isPrintable(text)) {
            throw UnreadableAnswer.damaged("A stored answer is damaged: its header is not text.", null);
        }
        return text;
    }

    private static void check(String what, String text, int most) {
        if (text.length() > most || !isPrintable(text)) {
            throw new IllegalArgumentException(what + " has at most " + most
                    + " characters, all of them printable ASCII and none a space; this one is '" + Printable.of(text)
                    + "'.");
        }
    }

    private static boolean isPrintable(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }
}
