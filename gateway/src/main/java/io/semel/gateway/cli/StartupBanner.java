// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.Gateway;
import io.semel.gateway.admin.AdminServer;
import io.semel.gateway.callers.CallerSummary;
import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.SealSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.store.OpenStore;
import java.io.PrintWriter;
import java.util.List;

/** Prints routes, store, callers and promises at the start. */
final class StartupBanner {

    static void print(PrintWriter out, RunningGateway assembly) {
        Gateway gateway = assembly.gateway();
        OpenStore open = assembly.open();
        Settings settings = gateway.settings();
        String scheme = settings.clients().isServer() ? "https://" : "http://";
        out.println("Semel gateway on " + scheme + settings.listen().host() + ":"
                + gateway.address().getPort());
        for (RouteSettings route : settings.routes()) {
            out.println(
                    "  " + String.join(", ", route.methods().stream().sorted().toList()) + " " + route.path() + " -> "
                            + route.upstream());
            out.println("      " + policy(route));
            out.println("      keys are " + route.keyUse() + ", bodies are compared by " + route.compare() + ", "
                    + errors(route));
        }
        out.println("Store:   " + open.label() + ". " + open.promise());
        open.caveats().forEach(caveat -> out.println("         " + caveat));
        SealSettings seal = settings.seal();
        if (seal != null) {
            out.println("Sealed:  answers are encrypted with key " + seal.ids().get(0) + "; readable with "
                    + String.join(", ", seal.ids()));
        }
        List<String> callers = CallerSummary.of(settings);
        out.println("Callers: " + callers.get(0));
        callers.stream().skip(1).forEach(line -> out.println("         " + line));
        if (!settings.quotas().areOff()) {
            out.println("Quotas:  " + settings.quotas());
        }
        if (settings.accessLog() != null) {
            out.println("Access:  " + settings.accessLog());
        }
        out.println("Admin:   " + assembly.address() + " (console, /health, /metrics, /api)");
        AdminServer health = assembly.health();
        if (health != null) {
            out.println("Health:  port " + health.address().getPort() + " (/health and /health/live, without a token)");
        }
        out.println(
                "Audit:   " + assembly.audit().file() + cutOff(assembly.audit().unreadable()));
        out.println("Ready.");
        out.flush();
    }

    private static String policy(RouteSettings route) {
        String silent = switch (route.whenSilent()) {
            case "refuse" -> "a silent service leaves the key unknown until an operator settles it";
            case "rerun" -> "a retry after a silent service RUNS AGAIN";
            default -> "after a silent service a URL is asked about the outcome";
        };
        return silent
                + (route.failOpen()
                        ? "; while the store is unavailable, requests RUN UNPROTECTED (failOpen)"
                        : "; while the store is unavailable, requests get 503");
    }

    private static String errors(RouteSettings route) {
        return switch (route.serverErrors()) {
            case "record" -> "answers of 5xx are kept";
            case "hold" -> "5xx leaves the key unknown";
            default -> "after 5xx a retry runs";
        };
    }

    private static String cutOff(int lines) {
        return lines == 0 ? "" : "; " + lines + " of its last lines are incomplete, after a crash or a full disk";
    }

    private StartupBanner() {}
}
