// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.admin.api.AdminApi;
import io.semel.gateway.admin.api.ApiResponse;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Shows keys, and settles those with an unknown outcome by hand. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows keys, and settles those whose outcome is unknown.")
final class KeysCommand implements Runnable {

    private static final List<String> VIEWS = List.of("oldest", "in-flight", "lapsed", "unknown");

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists keys, the oldest first.")
    int list(
            @Mixin TargetOption desk,
            @Option(names = "--view", defaultValue = "oldest", description = "oldest, in-flight, lapsed or unknown")
                    String view,
            @Option(
                            names = "--limit",
                            defaultValue = "100",
                            description = "At most this many, up to 1000. Default: 100")
                    int limit,
            @Option(names = "--cursor", description = "The end of the page before, as printed by it.") @Nullable
                    String cursor) {
        desk.check("--view", view, VIEWS);
        desk.check("--limit", limit, 1, Integer.MAX_VALUE);
        Map<String, String> query = new HashMap<>(Map.of("view", view, "limit", Integer.toString(limit)));
        if (cursor != null) {
            query.put("cursor", cursor);
        }
        return desk.at(at -> told(desk, at.get("/api/keys", query)));
    }

    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description = "Prints every key as a line of JSON, without answers.")
    int export(
            @Mixin TargetOption desk,
            @Option(names = "--view", defaultValue = "oldest", description = "oldest, in-flight, lapsed or unknown")
                    String view) {
        desk.check("--view", view, VIEWS);
        return desk.at(at -> exported(desk, at, view));
    }

    private int exported(TargetOption desk, AdminApi at, String view) {
        Map<String, String> query = new HashMap<>(Map.of("view", view, "limit", "1000"));
        while (true) {
            ApiResponse page = at.get("/api/keys", query);
            if (!page.isOk()) {
                return desk.failed(page);
            }
            page.body().path("keys").forEach(key -> out().println(key));
            String next = page.body().path("next").asString("");
            if (next.isEmpty()) {
                out().flush();
                return 0;
            }
            query.put("cursor", next);
        }
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows the history of one key; lists the keys with that id if several callers have one.")
    int show(
            @Mixin TargetOption desk,
            @Parameters(paramLabel = "ID", description = "The client's part of the key.") String id,
            @Option(names = "--scope", description = "Scope of the key, as list shows it.") @Nullable String scope,
            @Option(names = "--answer", description = "Also show the answer, which is recorded in the audit log.")
                    boolean answer,
            @Mixin AuditOption signature) {
        return desk.at(at -> {
            if (scope != null) {
                return shown(desk, at, key(scope, id), answer, signature);
            }
            ApiResponse found = at.get("/api/search", Map.of("id", id));
            JsonNode keys = found.body().path("keys");
            if (keys.size() == 1) {
                return shown(desk, at, key(keys.path(0).path("scope").asString(), id), answer, signature);
            }
            return found.isOk() && keys.isEmpty() ? unknown(desk, found, id) : several(desk, found, answer);
        });
    }

    private static int shown(TargetOption desk, AdminApi at, ObjectNode key, boolean answer, AuditOption signature) {
        Map<String, String> query = Map.of(
                "scope", key.path("scope").asString(), "id", key.path("id").asString());
        int code = told(desk, at.get("/api/key", query));
        return code == 0 && answer ? told(desk, at.post("/api/reveal", signature.on(key))) : code;
    }

    private static int unknown(TargetOption desk, ApiResponse searched, String id) {
        boolean all = searched.body().path("complete").asBoolean();
        return desk.failed(
                404,
                "Key not found: " + id
                        + (all
                                ? "."
                                : " among the keys that were searched, and there are more; give its scope with"
                                        + " --scope."));
    }

    /** Whose answer is meant is not for us to guess. */
    private static int several(TargetOption desk, ApiResponse found, boolean answer) {
        int code = told(desk, found);
        return code == 0 && answer ? desk.failed(400, "Several keys have an answer; choose one with --scope.") : code;
    }

    @Command(
            name = "resolve",
            mixinStandardHelpOptions = true,
            description = "Settles a key as executed, with this answer for retries.")
    int resolve(
            @Mixin TargetOption desk,
            @Parameters(paramLabel = "ID", description = "The client's part of the key.") String id,
            @Option(names = "--scope", required = true, description = "Scope of the key, as list shows it.")
                    String scope,
            @Option(names = "--status", defaultValue = "200", description = "Of the answer. Default: 200") int status,
            @Option(names = "--body", defaultValue = "", description = "Of the answer.") String body,
            @Option(
                            names = "--content-type",
                            defaultValue = "application/json",
                            description = "Of the answer. Default: application/json")
                    String type,
            @Option(
                            names = "--form",
                            defaultValue = "",
                            description = "Of the answer, where the key does not say it: http, json, utf8 or nothing.")
                    String form,
            @Option(names = "--fence", description = "Refuse if the key has a different fence by now.") @Nullable
                    Long fence,
            @Mixin AuditOption signature) {
        SweepRun.AnswerOption.check(desk, status, form);
        ObjectNode verdict = fenced(key(scope, id), fence)
                .put("status", status)
                .put("body", body)
                .put("contentType", type)
                .put("form", form);
        return desk.at(at -> told(desk, at.post("/api/resolve", signature.on(verdict))));
    }

    @Command(
            name = "release",
            mixinStandardHelpOptions = true,
            description = "Settles a key as not executed, so that a retry runs.")
    int release(
            @Mixin TargetOption desk,
            @Parameters(paramLabel = "ID", description = "The client's part of the key.") String id,
            @Option(names = "--scope", required = true, description = "Scope of the key, as list shows it.")
                    String scope,
            @Option(names = "--fence", description = "Refuse if the key has a different fence by now.") @Nullable
                    Long fence,
            @Mixin AuditOption signature) {
        return desk.at(at -> told(desk, at.post("/api/release", signature.on(fenced(key(scope, id), fence)))));
    }

    @Command(
            name = "sweep",
            mixinStandardHelpOptions = true,
            description = {
                "Settles all old keys with an unknown outcome alike.",
                "Without --release or --resolve it only counts them."
            })
    int sweep(
            @Mixin TargetOption desk,
            @Option(names = "--view", required = true, description = "lapsed or unknown") String view,
            @Option(names = "--older-than", defaultValue = "7d", description = "Minimum age of the keys. Default: 7d")
                    String age,
            @Option(names = "--scope", defaultValue = "", description = "Only keys of this caller.") String scope,
            @ArgGroup SweepRun.@Nullable Verdict verdict,
            @Mixin SweepRun.AnswerOption answer,
            @Mixin AuditOption signature) {
        desk.check("--view", view, List.of("lapsed", "unknown"));
        desk.checkSpan("--older-than", age);
        answer.check(desk);
        ObjectNode asked = JsonMapper.shared()
                .createObjectNode()
                .put("view", view)
                .put("olderThan", age)
                .put("scope", scope);
        if (verdict != null) {
            asked.put("verdict", verdict.name());
        }
        return desk.at(at -> new SweepRun(desk, at, out()).run(signature.on(answer.on(asked))));
    }

    @Command(name = "purge", mixinStandardHelpOptions = true, description = "Deletes expired keys.")
    int purge(
            @Mixin TargetOption desk,
            @Option(names = "--limit", defaultValue = "100000", description = "At most this many. Default: 100000")
                    int limit,
            @Mixin AuditOption signature) {
        desk.check("--limit", limit, 1, Integer.MAX_VALUE);
        ObjectNode most = JsonMapper.shared().createObjectNode().put("limit", limit);
        return desk.at(at -> told(desk, at.post("/api/purge", signature.on(most))));
    }

    private static ObjectNode key(String scope, String id) {
        return JsonMapper.shared().createObjectNode().put("scope", scope).put("id", id);
    }

    private static ObjectNode fenced(ObjectNode verdict, @Nullable Long fence) {
        return fence == null ? verdict : verdict.put("fence", fence);
    }

    private static int told(TargetOption desk, ApiResponse reply) {
        return desk.told(reply, TablePrinter::print);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
