// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.answer;

import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the bytes of one stored answer, trusting none of them. */
final class StoredAnswerReader {

    private static final int LARGEST_SHIFT = 28;
    /** A line takes at least the two lengths and a name of one character. */
    private static final int SMALLEST_LINE = 3;

    private final byte[] bytes;
    private int at;

    StoredAnswerReader(byte[] bytes) {
        this.bytes = bytes;
    }

    Answer read() {
        int format = next();
        if (format != AnswerCodec.FORMAT) {
            throw new IllegalArgumentException("it has format " + format + ", and this version reads format "
                    + AnswerCodec.FORMAT + "; it was written by a newer version of Semel, or by something else.");
        }
        int status = number();
        int lines = number();
        if (lines > left() / SMALLEST_LINE) {
            throw new IllegalArgumentException("it claims " + lines + " header lines in " + left() + " bytes.");
        }
        List<Header> headers = new ArrayList<>(lines);
        for (int i = 0; i < lines; i++) {
            headers.add(header());
        }
        return new Answer(status, headers, Arrays.copyOfRange(bytes, at, bytes.length));
    }

    private Header header() {
        Header header = new Header(text(), text());
        if (!ReplayedHeaders.canBeSent(header)) {
            throw new IllegalArgumentException("it has a header line that HTTP cannot carry.");
        }
        return header;
    }

    private String text() {
        int length = number();
        if (length > left()) {
            throw new IllegalArgumentException("a text of " + length + " bytes is cut off.");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, at, length))
                    .toString();
            at += length;
            return text;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a text is not UTF-8.", e);
        }
    }

    private int number() {
        int number = 0;
        for (int shift = 0; shift <= LARGEST_SHIFT; shift += 7) {
            int next = next();
            number |= (next & 0x7f) << shift;
            if (next < 0x80) {
                if (number < 0 || (next == 0 && shift > 0) || (shift == LARGEST_SHIFT && next > 7)) {
                    break;
                }
                return number;
            }
        }
        throw new IllegalArgumentException("a number is out of bounds.");
    }

    private int next() {
        if (at == bytes.length) {
            throw new IllegalArgumentException("it ends too early.");
        }
        return bytes[at++] & 0xff;
    }

    private int left() {
        return bytes.length - at;
    }
}
