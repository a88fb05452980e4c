// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Answers as services give them. */
final class Answers {

    /** JSON of this many bytes, as hard to compress as JSON with ids in it is. */
    static byte[] json(int bytes) {
        StringBuilder json = new StringBuilder("{\"status\":\"accepted\",\"payment\":\"");
        while (json.length() < bytes) {
            json.append(UUID.randomUUID()).append("\",\"amount\":500,\"currency\":\"EUR\",\"entry\":\"");
        }
        json.setLength(bytes - 2);
        return json.append("\"}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private Answers() {}
}
