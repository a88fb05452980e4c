// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import io.semel.gateway.config.ScopeSettings;
import io.semel.gateway.config.ScopeSettings.Anonymous;
import io.semel.gateway.config.Settings;
import java.util.ArrayList;
import java.util.List;

/** Describes in sentences how callers are told apart, and the consequences. */
public final class CallerSummary {

    /** One sentence a line. */
    public static List<String> of(Settings settings) {
        ScopeSettings scope = settings.scope();
        List<String> lines = new ArrayList<>();
        List<String> names = names(settings);
        lines.add("identified by " + (names.isEmpty() ? "nothing" : String.join(" and ", names)) + within(scope) + ".");
        boolean opaque = !scope.credentials().isEmpty() || scope.cookie() != null;
        if (opaque) {
            lines.add("A new token, API key or cookie is a new caller, whose retries run again; scope.jwt, or"
                    + " scope.header from a trusted proxy, identify the person instead.");
        }
        lines.add(
                scope.anonymous() == Anonymous.REFUSE
                        ? "Keys without a credential are refused."
                        : "Requests without a credential share one anonymous scope, in which a caller that repeats another's"
                                + " key and request gets its answer; scope.anonymous: refuse prevents that.");
        return lines;
    }

    private static List<String> names(Settings settings) {
        ScopeSettings scope = settings.scope();
        List<String> names = new ArrayList<>();
        if (settings.clients().trust() != null) {
            names.add("the names in their certificate");
        }
        if (scope.jwt() != null) {
            names.add("issuer and subject of their verified token");
        }
        if (scope.introspection() != null) {
            names.add("the owner of their token according to "
                    + scope.introspection().url().getHost());
        }
        if (scope.header() != null) {
            names.add(scope.header() + " from trusted proxies");
        }
        names.addAll(scope.credentials());
        if (scope.cookie() != null) {
            names.add("the cookie " + scope.cookie());
        }
        return names;
    }

    private static String within(ScopeSettings scope) {
        String tenant = scope.tenantHeader() == null ? "" : " within " + scope.tenantHeader();
        return scope.host() ? tenant + " on each host" : tenant;
    }

    private CallerSummary() {}
}
