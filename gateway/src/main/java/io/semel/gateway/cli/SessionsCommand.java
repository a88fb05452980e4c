// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.admin.api.ApiResponse;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Shows the sessions of clients that number their requests. */
@Command(
        name = "sessions",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows sessions and the outcomes of their requests.")
final class SessionsCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the live sessions of a caller, at most 1000.")
    int list(
            @Mixin TargetOption desk,
            @Option(names = "--scope", description = "Scope, as keys list shows it. Default: the anonymous scope")
                    @Nullable
                    String scope) {
        Map<String, String> query =
                Map.of("scope", scope == null ? desk.settings().anonymousScope() : scope);
        return desk.at(at -> desk.told(at.get("/api/sessions", query), TablePrinter::sessions));
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = {
                "Shows one session: terms, what the client has received, and each number that runs or keeps an answer;",
                "of a running gateway also what it saw of it, even if it has ended."
            })
    int show(
            @Mixin TargetOption desk,
            @Parameters(paramLabel = "ID", description = "The session id, as in the client's Semel-Session header.")
                    String id,
            @Option(
                            names = "--scope",
                            description =
                                    "Whose it is. Default: of anybody whom the asked gateway saw with it, or who shows"
                                            + " no credential")
                    @Nullable
                    String scope) {
        Map<String, String> query = new HashMap<>(Map.of("id", id));
        if (scope != null) {
            query.put("scope", scope);
        }
        return desk.at(at -> {
            ApiResponse found = at.get("/api/sessions", query);
            return found.isOk() && found.body().path("sessions").isEmpty()
                    ? unknown(desk, id, scope)
                    : desk.told(found, SessionsCommand::print);
        });
    }

    private static int unknown(TargetOption desk, String id, @Nullable String scope) {
        return desk.failed(
                404,
                "No session " + id + " lives"
                        + (scope == null ? " that was seen here; if you know whose it is, say so with --scope." : "."));
    }

    private static void print(PrintWriter out, JsonNode body) {
        body.path("sessions").forEach(session -> TablePrinter.print(out, session));
    }
}
