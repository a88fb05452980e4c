// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What the store needs of a Redis client. */
interface Commands extends AutoCloseable {

    /** Answers questions in their order, with the script. */
    List<Reply> run(List<Ask> asks);

    /** Whether one trip can carry questions about different slots. */
    boolean isOneTrip();

    Instant time();

    /** Hands over the names that match, some at a time; a name may come twice. */
    void scan(byte[] pattern, Consumer<List<byte[]>> some);

    /** What INFO says, of each server that takes writes. */
    List<Map<String, String>> infos();

    /** A setting of the server. */
    String setting(String name);

    @Override
    void close();

    /** The lines of INFO, by their names. */
    static Map<String, String> info(String text) {
        Map<String, String> info = new HashMap<>();
        text.lines().filter(line -> line.indexOf(':') > 0).forEach(line -> {
            int colon = line.indexOf(':');
            info.put(line.substring(0, colon), line.substring(colon + 1).trim());
        });
        return info;
    }
}
