// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * The format of a journal of intents: each record has a mark, its length, a checksum and its bytes.
 *
 * @param salt begins every checksum, so that no body can be made to look like a record of this file
 */
public record JournalFormat(long salt) {

    public static final int HEADER = 24;

    private static final byte[] NAME = "semel-intents 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MARK = 0x53494e31;
    private static final int FRAME = 12;
    private static final SecureRandom RANDOM = new SecureRandom();

    public static JournalFormat fresh() {
        return new JournalFormat(RANDOM.nextLong());
    }

    static JournalFormat of(byte[] bytes, Path path) throws IOException {
        if (bytes.length < HEADER || !Arrays.equals(bytes, 0, NAME.length, NAME, 0, NAME.length)) {
            throw new IOException(path + " is no journal of intents, or of another version; it does not begin with '"
                    + new String(NAME, StandardCharsets.US_ASCII).strip() + "'. Nothing in it was changed.");
        }
        return new JournalFormat(ByteBuffer.wrap(bytes).getLong(NAME.length));
    }

    public byte[] header() {
        return ByteBuffer.allocate(HEADER).put(NAME).putLong(salt).array();
    }

    public byte[] frame(byte[] record) {
        return ByteBuffer.allocate(FRAME + record.length)
                .putInt(MARK)
                .putInt(record.length)
                .putInt(checksum(record, 0, record.length))
                .put(record)
                .array();
    }

    long framedLength(byte[] record) {
        return FRAME + (long) record.length;
    }

    /** Hands over every record; how far they reach. What follows then is a torn tail. */
    int scan(byte[] bytes, Path path, Consumer<byte[]> record) throws IOException {
        int at = HEADER;
        while (isRecord(bytes, at)) {
            int length = intAt(bytes, at + 4);
            record.accept(Arrays.copyOfRange(bytes, at + FRAME, at + FRAME + length));
            at += FRAME + length;
        }
        checkTornTail(bytes, at, path);
        return at;
    }

    /** Only the last write can have been torn: a whole record behind broken bytes means that acknowledged ones are broken. */
    private void checkTornTail(byte[] bytes, int from, Path path) throws IOException {
        for (int at = from + 1; at <= bytes.length - FRAME; at++) {
            if (isRecord(bytes, at)) {
                throw new IOException("The journal " + path + " is damaged at byte " + from + ", and goes on at byte "
                        + at + "; records between are lost. Nothing in it was changed. Move it away, and look at the"
                        + " state of what it may have asked for.");
            }
        }
    }

    private boolean isRecord(byte[] bytes, int at) {
        int left = bytes.length - at - FRAME;
        if (left < 0 || intAt(bytes, at) != MARK) {
            return false;
        }
        int length = intAt(bytes, at + 4);
        return length >= 0 && length <= left && intAt(bytes, at + 8) == checksum(bytes, at + FRAME, length);
    }

    private static int intAt(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).getInt(at);
    }

    private int checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(12).putLong(salt).putInt(length).flip());
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
