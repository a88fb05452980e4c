// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.Operation;
import io.semel.WhenAbandoned;
import io.semel.http.BodyForm;
import io.semel.http.HttpRules;
import io.semel.http.KeyDialect;
import io.semel.http.KeyUse;
import io.semel.http.StatusPolicy;
import io.semel.http.StatusPolicy.Keep;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads one route. */
final class RouteReader {

    static final List<String> KNOWN = List.of(
            "name",
            "path",
            "methods",
            "upstream",
            "host",
            "key",
            "header",
            "dialect",
            "keyCharacters",
            "compare",
            "retention",
            "remembrance",
            "lease",
            "serverErrors",
            "statuses",
            "replayHeaders",
            "waitWhenBusy",
            "whenSilent",
            "failOpen",
            "bodyBytes",
            "answerBytes",
            "advertiseRetention",
            "authorize",
            "webhook");

    private static final Duration WEBHOOK_RETENTION = Duration.ofDays(7);
    private static final int MOST_BODY = 10 << 20;
    private static final int MOST_KEY = 255;

    private final Fields fields;
    private final Defaults defaults;
    private final @Nullable Webhook webhook;

    private RouteReader(Fields fields, Defaults defaults) {
        this.fields = fields;
        this.defaults = defaults;
        this.webhook = fields.find("webhook", Webhook::of);
    }

    static RouteSettings read(Fields fields, Defaults defaults) {
        return new RouteReader(fields, defaults).read();
    }

    private RouteSettings read() {
        String path = fields.text("path");
        if (path == null) {
            throw fields.wrong("path", "is missing; say which paths the route is for, such as /payments/**");
        }
        Upstream own = fields.find("upstream", Upstream::of);
        Upstream upstream = own == null ? defaults.upstream() : own;
        if (upstream == null) {
            throw fields.wrong("upstream", "is missing; name it here or for all routes, such as http://127.0.0.1:9000");
        }
        Set<String> methods = Set.copyOf(fields.texts("methods", List.of("POST", "PATCH")));
        return new RouteSettings(
                fields.read("path", PathPattern.of("/**"), PathPattern::of),
                methods,
                upstream,
                operation(fields.text("name", path)),
                rules(methods),
                fields.number("bodyBytes", MOST_BODY),
                fields.span("waitWhenBusy", Duration.ZERO),
                webhook == null ? null : webhook.pointer(),
                fields.find("authorize", RouteReader::url),
                fields.text("whenSilent", "refuse").contains("://"),
                fields.read("host", false, RouteReader::isUpstreamHost));
    }

    private Operation operation(String name) {
        Duration retention = fields.span("retention", webhook == null ? defaults.retention() : WEBHOOK_RETENTION);
        Duration remembrance = fields.span("remembrance", retention);
        Operation begun = Operation.named(name)
                .keepAnswersUpTo(fields.number("answerBytes", 1 << 20))
                .whenAbandoned(fields.read("whenSilent", WhenAbandoned.refuse(), RouteReader::whenSilent));
        Operation kept = fields.wrapped("retention", () -> begun.retention(retention, remembrance));
        return fields.wrapped("lease", () -> kept.lease(fields.span("lease", defaults.lease())));
    }

    private static WhenAbandoned whenSilent(String text) {
        return switch (text) {
            case "refuse" -> WhenAbandoned.refuse();
            case "rerun" -> WhenAbandoned.rerun();
            default -> WhenAbandoned.reconcile(new ReconcileUrl(url(text)));
        };
    }

    private HttpRules rules(Set<String> methods) {
        HttpRules rules = HttpRules.standard()
                .namespace(defaults.namespace())
                .keys(fields.choice("key", KeyUse.class, KeyUse.OPTIONAL))
                .dialect(fields.choice("dialect", KeyDialect.class, KeyDialect.LENIENT))
                .largestBody(fields.number("bodyBytes", MOST_BODY))
                .replayHeaders(fields.texts("replayHeaders", List.of()).toArray(String[]::new))
                .statuses(statuses());
        rules = with("methods", rules, it -> it.methods(methods.toArray(String[]::new)));
        rules = with("keyCharacters", rules, it -> it.longestKey(fields.number("keyCharacters", MOST_KEY)));
        rules = with("header", rules, this::keyHeaders);
        rules = with("compare", rules, this::compared);
        rules = fields.flag("failOpen") ? rules.failOpen() : rules;
        return fields.flag("advertiseRetention") ? rules.advertiseRetention() : rules;
    }

    private HttpRules with(String name, HttpRules rules, UnaryOperator<HttpRules> change) {
        return fields.wrapped(name, () -> change.apply(rules));
    }

    private HttpRules keyHeaders(HttpRules rules) {
        HttpRules named = webhook == null ? rules : webhook.in(rules);
        return fields.has("header")
                ? named.keyHeaders(fields.texts("header", List.of()).toArray(String[]::new))
                : named;
    }

    private HttpRules compared(HttpRules rules) {
        return switch (fields.text("compare", "bytes")) {
            case "bytes" -> rules;
            case "json" -> rules.compareBodies(BodyForm.json());
            case "nothing" -> rules.compareBodies(BodyForm.uncompared());
            default -> throw new ConfigError("bodies are compared by bytes, json or nothing");
        };
    }

    private StatusPolicy statuses() {
        StatusPolicy policy =
                StatusPolicy.standard().serverErrors(fields.choice("serverErrors", Keep.class, Keep.FORGET));
        if (webhook != null) {
            policy = Webhook.forgettingRefusals(policy);
        }
        for (Map.Entry<String, String> each : fields.entries("statuses").entrySet()) {
            StatusPolicy before = policy;
            policy = fields.wrapped("statuses", () -> before.with(status(each.getKey()), keep(each.getValue())));
        }
        return policy;
    }

    private static int status(String text) {
        if (!text.matches("[2-9]\\d\\d")) {
            throw new ConfigError("'" + text + "' is not a status; write a number from 200 to 999");
        }
        return Integer.parseInt(text);
    }

    private static Keep keep(String text) {
        return switch (text) {
            case "record" -> Keep.RECORD;
            case "forget" -> Keep.FORGET;
            case "hold" -> Keep.HOLD;
            default -> throw new ConfigError("'" + text + "' is none of record, forget and hold");
        };
    }

    private static boolean isUpstreamHost(String text) {
        return switch (text) {
            case "client" -> false;
            case "upstream" -> true;
            default -> throw new ConfigError("'" + text + "' is neither client nor upstream");
        };
    }

    private static String url(String text) {
        URI uri = URI.create(text);
        String scheme = uri.getScheme();
        if (uri.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw new ConfigError("'" + text + "' is not a URL; write http://host:port/path");
        }
        return text;
    }
}
