// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Requests of one connection, by seed: some right, some with one part that is wrong, some with a few bytes changed. */
final class RequestStream {

    private static final String LAST =
            "GET /end?{id} HTTP/1.1\r\nHost: shop\r\nX-Id: {id}end\r\nConnection: close\r\n\r\n";

    /** So that no id becomes another's by a few bytes that are changed. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final long seed;
    private final boolean valid;
    private final byte[] bytes;

    private RequestStream(long seed, boolean valid, String text) {
        this.seed = seed;
        this.valid = valid;
        this.bytes = text.replace("{id}", id(seed)).getBytes(StandardCharsets.ISO_8859_1);
    }

    static RequestStream of(long seed) {
        Random random = new Random(seed * SPREAD);
        String id = id(seed);
        int kind = random.nextInt(10);
        Pipeline pipeline = new Pipeline(random, id);
        int wrong = kind < 2 ? 0 : kind < 7 ? 1 : random.nextInt(3);
        StringBuilder text = pipeline.write(1 + random.nextInt(4), wrong);
        new Noise(random, id).change(text, kind < 8 ? 0 : 1 + random.nextInt(3));
        return new RequestStream(seed, kind < 2, text + LAST);
    }

    /** A stream that was kept, escaped and with {id} for its id, because something was wrong with it once. */
    static RequestStream kept(String line, long seed) {
        return new RequestStream(seed, false, Escaped.read(line) + LAST);
    }

    /** What is in every request of a seed, and in that of no other. */
    static String id(long seed) {
        return "s" + Long.toHexString(seed * SPREAD) + "x";
    }

    byte[] bytes() {
        return bytes;
    }

    String id() {
        return id(seed);
    }

    /** Whether nothing was made wrong, so that all of it has to be answered. */
    boolean isValid() {
        return valid;
    }

    /** Where the stream is cut into packets; nowhere for most. */
    List<Integer> cuts() {
        Random cutting = new Random(seed);
        return cutting.nextInt(4) > 0
                ? List.of()
                : cutting.ints(1 + cutting.nextInt(4), 1, bytes.length)
                        .sorted()
                        .distinct()
                        .boxed()
                        .toList();
    }

    @Override
    public String toString() {
        return "-Dsemel.fuzz.seed=" + seed + " " + (valid ? "(valid)" : "") + cuts() + "\n"
                + Escaped.of(new String(bytes, StandardCharsets.ISO_8859_1));
    }
}
