// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.journal;

import io.semel.client.Intent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One record of a journal of intents.
 *
 * @param begun what was written down; null where the key was struck out
 */
public record IntentRecord(String key, @Nullable Intent begun) {

    private static final int BEGUN = 1;
    private static final int DONE = 2;

    public byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("Memory can be written to", e);
        }
        return bytes.toByteArray();
    }

    private void write(DataOutputStream out) throws IOException {
        out.writeByte(begun == null ? DONE : BEGUN);
        text(out, key);
        if (begun == null) {
            return;
        }
        out.writeLong(begun.since().toEpochMilli());
        text(out, begun.method());
        text(out, begun.uri().toString());
        List<Map.Entry<String, String>> lines = new ArrayList<>();
        begun.headers().forEach((name, values) -> values.forEach(value -> lines.add(Map.entry(name, value))));
        out.writeInt(lines.size());
        for (Map.Entry<String, String> line : lines) {
            text(out, line.getKey());
            text(out, line.getValue());
        }
        out.write(begun.body());
    }

    /** Reads a record whose checksum was right; one that makes no sense all the same comes from another version, or a fault. */
    public static IntentRecord read(byte[] bytes, Path path) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            int kind = in.readByte();
            String key = text(in);
            if (kind == DONE) {
                return new IntentRecord(key, null);
            }
            if (kind == BEGUN) {
                return new IntentRecord(key, begun(in, key));
            }
            throw new IOException("kind " + kind);
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "A record in " + path + " cannot be read by this version (" + e.getMessage()
                            + "); use the version that wrote it, or move the file away and look at what it asked for.",
                    e);
        }
    }

    private static Intent begun(DataInputStream in, String key) throws IOException {
        Instant since = Instant.ofEpochMilli(in.readLong());
        String method = text(in);
        URI uri = URI.create(text(in));
        Map<String, List<String>> headers = new TreeMap<>();
        for (int lines = in.readInt(); lines > 0; lines--) {
            String name = text(in);
            headers.computeIfAbsent(name, any -> new ArrayList<>()).add(text(in));
        }
        return Intent.restored(key, method, uri, headers, in.readAllBytes(), since);
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("a length of " + length + " where " + in.available() + " bytes are left");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
