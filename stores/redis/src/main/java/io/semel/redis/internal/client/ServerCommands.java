// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.client;

import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.ScriptRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The commands of a Redis client that the store needs. */
public interface ServerCommands extends AutoCloseable {

    /** Runs the script; answers in the order of the requests. */
    List<ScriptReply> run(List<ScriptRequest> requests);

    /** Whether one round trip can carry requests about different slots. */
    boolean carriesBatches();

    Instant time();

    /**
     * Scans some names; a name may come twice in a complete scan.
     *
     * @param pattern a pattern for the names; null for all
     * @param cursor the position to continue at; null for the beginning
     * @param about the approximate number of names to scan
     */
    ScanPage scan(byte @Nullable [] pattern, @Nullable String cursor, int about);

    /** The number of names, of this service and others. */
    long size();

    /** The output of INFO, for each server that accepts writes. */
    List<Map<String, String>> infos();

    /** A setting of the server. */
    String setting(String name);

    @Override
    void close();

    /** The lines of INFO, by name. */
    static Map<String, String> info(String text) {
        Map<String, String> info = new HashMap<>();
        text.lines().filter(line -> line.indexOf(':') > 0).forEach(line -> {
            int colon = line.indexOf(':');
            info.put(line.substring(0, colon), line.substring(colon + 1).trim());
        });
        return info;
    }
}
