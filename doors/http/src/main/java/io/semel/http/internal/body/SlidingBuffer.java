// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/** The part of a stream that is being looked at: bytes are appended at its end and dropped at its start. */
final class SlidingBuffer {

    private final byte[] bytes;
    private int start;
    private int end;

    SlidingBuffer(int capacity) {
        bytes = new byte[capacity];
    }

    int size() {
        return end - start;
    }

    void append(byte[] source, int from, int length) {
        if (end + length > bytes.length) {
            System.arraycopy(bytes, start, bytes, 0, size());
            end -= start;
            start = 0;
        }
        System.arraycopy(source, from, bytes, end, length);
        end += length;
    }

    void drop(int count) {
        start += count;
    }

    void digest(MessageDigest digest, int count) {
        digest.update(bytes, start, count);
    }

    String text(int count) {
        return new String(bytes, start, count, StandardCharsets.ISO_8859_1);
    }

    boolean startsWith(byte[] prefix) {
        return size() >= prefix.length && isAt(start, prefix);
    }

    /** The distance of the sequence from the start; -1 if it is absent. */
    int find(byte[] sequence) {
        for (int at = start; at <= end - sequence.length; at++) {
            if (bytes[at] == sequence[0] && isAt(at, sequence)) {
                return at - start;
            }
        }
        return -1;
    }

    private boolean isAt(int at, byte[] sequence) {
        return Arrays.equals(bytes, at, at + sequence.length, sequence, 0, sequence.length);
    }
}
