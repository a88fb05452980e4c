// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.Gateway;
import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.ScopeSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.store.OpenStore;
import java.io.PrintWriter;
import java.util.List;

/** Says at the start what the gateway does and what it promises. */
final class Greeting {

    static void print(PrintWriter out, Assembly assembly) {
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
        }
        out.println("Store:   " + open.label() + ". " + open.promise());
        open.caveats().forEach(caveat -> out.println("         " + caveat));
        out.println("Callers: " + callers(settings));
        out.println("Admin:   " + assembly.console() + " (console, /health, /metrics, /api)");
        out.println(
                "Audit:   " + assembly.audit().file() + cutOff(assembly.audit().unreadable()));
        out.println("Ready.");
        out.flush();
    }

    private static String cutOff(int lines) {
        return lines == 0
                ? ""
                : "; " + lines + " of its last lines cannot be read, as a crash or a full disk leaves them";
    }

    private static String callers(Settings settings) {
        ScopeSettings scope = settings.scope();
        List<String> credentials = scope.credentials();
        String by = scope.jwt() != null
                ? "by issuer and subject of their verified token"
                : "by " + (settings.clients().trust() != null ? "their certificate and " : "")
                        + String.join(" and ", credentials);
        String tenant = scope.tenantHeader() == null ? "" : " within " + scope.tenantHeader();
        return by + tenant + "; those who show none share one anonymous scope, where whoever repeats"
                + " another's key and request gets that one's answer.";
    }

    private Greeting() {}
}
