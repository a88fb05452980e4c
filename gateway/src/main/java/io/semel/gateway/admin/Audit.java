// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.semel.Key;
import io.semel.gateway.config.ConfigError;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What operators did: the last acts in memory and, where there is a file, every one as a line of JSON. */
public final class Audit {

    private static final System.Logger LOG = System.getLogger(Audit.class.getName());
    private static final int MOST = 1000;

    private final @Nullable Path file;
    private final Deque<ObjectNode> acts = new ArrayDeque<>();

    /** @param file null where they are to be forgotten with the process */
    public Audit(@Nullable Path file) {
        this.file = file;
        if (file != null && Files.exists(file)) {
            rememberAll(file);
        }
    }

    private void rememberAll(Path from) {
        try {
            String text = Files.readString(from, StandardCharsets.UTF_8);
            text.lines().forEach(this::remember);
            if (!text.isEmpty() && !text.endsWith("\n")) {
                append("\n");
            }
        } catch (IOException | UncheckedIOException e) {
            throw new ConfigError("The audit trail " + from + " cannot be read; name another with --audit.", e);
        }
    }

    /** A line that was cut off by a full disk, say, is left as it is, and left out. */
    private void remember(String line) {
        try {
            if (JsonMapper.shared().readTree(line) instanceof ObjectNode entry) {
                keep(entry);
            }
        } catch (JacksonException e) {
            LOG.log(System.Logger.Level.WARNING, "A line of the audit trail is not JSON, and is not shown.");
        }
    }

    /** Written before the act is acknowledged. */
    synchronized void add(ObjectNode asked, String act, Key key, String result) {
        ObjectNode entry = JsonMapper.shared().createObjectNode();
        entry.put("at", Instant.now().toString());
        entry.put("operator", operator(asked));
        entry.put("from", asked.path("from").asString("this machine"));
        entry.put("act", act);
        entry.put("scope", key.scope());
        entry.put("id", key.id());
        entry.put("result", result);
        keep(entry);
        append(entry + "\n");
    }

    /** As they say they are: the token says only that they may. */
    static String operator(ObjectNode asked) {
        String name = asked.path("operator").asString("");
        return name.isEmpty() ? "somebody" : name;
    }

    private void keep(ObjectNode entry) {
        if (acts.size() == MOST) {
            acts.removeFirst();
        }
        acts.addLast(entry);
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

    List<ObjectNode> acts(Key key) {
        return acts().stream()
                .filter(act -> act.path("id").asString("").equals(key.id())
                        && act.path("scope").asString("").equals(key.scope()))
                .toList();
    }
}
