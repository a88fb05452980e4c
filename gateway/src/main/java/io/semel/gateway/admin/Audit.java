// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.semel.Key;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What operators did: the last acts in memory and, where there is a file, every one as a line of JSON. */
public final class Audit {

    private static final int MOST = 1000;

    private final @Nullable Path file;
    private final Deque<ObjectNode> acts = new ArrayDeque<>();

    public Audit(@Nullable Path file) {
        this.file = file;
    }

    /** Written before the act is acknowledged. */
    synchronized void add(String operator, String act, Key key, String result) {
        ObjectNode entry = JsonMapper.shared().createObjectNode();
        entry.put("at", Instant.now().toString());
        entry.put("operator", operator);
        entry.put("act", act);
        entry.put("scope", key.scope());
        entry.put("id", key.id());
        entry.put("result", result);
        if (acts.size() == MOST) {
            acts.removeFirst();
        }
        acts.addLast(entry);
        append(entry + "\n");
    }

    private void append(String line) {
        if (file == null) {
            return;
        }
        try {
            Files.writeString(file, line, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("The audit trail cannot be written to " + file + ".", e);
        }
    }

    synchronized List<ObjectNode> acts() {
        return List.copyOf(acts);
    }
}
