// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the store needs of a Redis client. */
interface Commands extends AutoCloseable {

    /** Answers questions in their order, with the script. */
    List<Reply> run(List<Ask> asks);

    /** Whether one trip can carry questions about different slots. */
    boolean isOneTrip();

    Instant time();

    /**
     * Some of all names; a name may come twice in a walk through all of them.
     *
     * @param pattern what they match; null for any
     * @param cursor where to go on; null for the beginning
     * @param about how many names to look at
     */
    Slice scan(byte @Nullable [] pattern, @Nullable String cursor, int about);

    /** How many names there are, of this service and of others. */
    long size();

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
