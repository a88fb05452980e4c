// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.audit;

import io.semel.Key;
import io.semel.gateway.config.yaml.ConfigError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The audit log of operators' actions: a line of JSON before each action, and one with its result after it. All processes that act on
 * the same store from the same machine write to the same file.
 */
public final class AuditLog {

    private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());
    private static final long FULL = 10 << 20;
    private static final int MOST_SHOWN = 1000;
    private static final int MOST_NAME = 200;
    private static final int MOST_WHY = 1000;

    private final Path file;
    private final AuditFile trail;

    public AuditLog(Path file) {
        this(file, FULL);
    }

    AuditLog(Path file, long full) {
        this.file = file;
        this.trail = new AuditFile(file, full);
        try {
            var unused = trail.last(1);
        } catch (IOException e) {
            throw new ConfigError("The audit log " + file + " cannot be read; choose another one with --audit.", e);
        }
    }

    public Path file() {
        return file;
    }

    /** Performs an action that is recorded; an action that cannot be recorded is not performed. */
    public <T> T noting(ObjectNode asked, String act, @Nullable Key key, Supplier<T> work, Function<T, String> result) {
        ObjectNode entry = entry(asked, act, key);
        begin(entry);
        T done;
        try {
            done = work.get();
        } catch (RuntimeException e) {
            end(entry, "FAILED");
            throw e;
        }
        end(entry, result.apply(done));
        return done;
    }

    private static ObjectNode entry(ObjectNode asked, String act, @Nullable Key key) {
        ObjectNode entry = JsonMapper.shared().createObjectNode();
        entry.put("at", Instant.now().toString());
        entry.put("number", UUID.randomUUID().toString());
        entry.put("operator", operator(asked));
        entry.put("from", asked.path("from").asString("this machine"));
        entry.put("act", act);
        if (key != null) {
            entry.put("scope", key.scope());
            entry.put("id", key.id());
        }
        if (asked.has("status")) {
            entry.put("status", asked.path("status").asInt());
        }
        if (asked.has("why")) {
            entry.put("why", bounded(asked, "why", MOST_WHY));
        }
        return entry;
    }

    /** As they say they are: the token says only that they may. */
    public static String operator(ObjectNode asked) {
        String name = bounded(asked, "operator", MOST_NAME);
        return name.isEmpty() ? "somebody" : name;
    }

    private static String bounded(ObjectNode asked, String name, int most) {
        String text = asked.path(name).asString("");
        if (text.length() > most) {
            throw new IllegalArgumentException(
                    "'" + name + "' has " + text.length() + " characters; at most " + most + " are noted.");
        }
        return text;
    }

    private void begin(ObjectNode entry) {
        try {
            trail.add(entry.put("result", "BEGUN").toString());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Nothing was changed, because the audit log cannot be written: " + file + ": " + e, e);
        }
    }

    /** The action is done, and its result is returned even if the log can only say that it was begun. */
    private void end(ObjectNode entry, String result) {
        try {
            trail.add(entry.put("result", result).toString());
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The audit log " + file + " has the beginning of this action and not its result: " + entry,
                    e);
        }
    }

    /** The last acts, as the file has them now. */
    public Acts acts() {
        Map<String, ObjectNode> acts = new LinkedHashMap<>();
        int unreadable = 0;
        for (String line : lines()) {
            ObjectNode entry = read(line);
            if (entry == null) {
                unreadable++;
            } else {
                acts.put(entry.path("number").asString(line), entry);
            }
        }
        return new Acts(List.copyOf(acts.values()), unreadable);
    }

    private List<String> lines() {
        try {
            return trail.last(2 * MOST_SHOWN);
        } catch (IOException e) {
            throw new UncheckedIOException("The audit log " + file + " cannot be read: " + e, e);
        }
    }

    private static @Nullable ObjectNode read(String line) {
        try {
            return JsonMapper.shared().readTree(line) instanceof ObjectNode entry ? entry : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    /** How many of the last lines cannot be read, because they were cut off. */
    public int unreadable() {
        return acts().unreadable;
    }

    /** Actions, the oldest first, and the number of lines that cannot be read. */
    public record Acts(List<ObjectNode> all, int unreadable) {

        public List<ObjectNode> on(Key key) {
            return all.stream()
                    .filter(act -> act.path("id").asString("").equals(key.id())
                            && act.path("scope").asString("").equals(key.scope()))
                    .toList();
        }
    }
}
