// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.file;

import io.semel.Operation;
import io.semel.Operation.OtherVersions;
import io.semel.WhenAbandoned;
import io.semel.gateway.client.ReconcileHook;
import io.semel.gateway.config.PathPattern;
import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.Upstream;
import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.config.yaml.YamlSection;
import io.semel.http.BodyComparison;
import io.semel.http.HttpRules;
import io.semel.http.KeyDialect;
import io.semel.http.KeyUse;
import io.semel.http.StatusPolicy;
import io.semel.http.StatusPolicy.Keep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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
            "compareHeaders",
            "retention",
            "remembrance",
            "lease",
            "version",
            "answersOfOtherVersions",
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

    private final YamlSection fields;
    private final RouteDefaults defaults;
    private final @Nullable WebhookPreset webhook;

    private RouteReader(YamlSection fields, RouteDefaults defaults) {
        this.fields = fields;
        this.defaults = defaults;
        this.webhook = optional("webhook", WebhookPreset::of);
    }

    static RouteSettings read(YamlSection fields, RouteDefaults defaults) {
        return new RouteReader(fields, defaults).read();
    }

    /** Null too where it is wrong, which is noted. */
    private <T> @Nullable T optional(String name, Function<String, T> reading) {
        try {
            return fields.find(name, reading);
        } catch (ConfigError e) {
            fields.note(e);
            return null;
        }
    }

    /** Errors are collected, with placeholders for the values, until everything is read. */
    private RouteSettings read() {
        if (!fields.has("path")) {
            fields.note(fields.wrong("path", "is missing; say which paths the route is for, such as /payments/**"));
        }
        String path = fields.text("path", "/**");
        Set<String> methods = Set.copyOf(fields.texts("methods", List.of("POST", "PATCH")));
        return new RouteSettings(
                fields.read("path", PathPattern.of("/**"), PathPattern::of),
                methods,
                upstream(),
                operation(fields.text("name", path)),
                rules(methods),
                fields.number("bodyBytes", MOST_BODY),
                fields.span("waitWhenBusy", Duration.ZERO),
                webhook == null ? null : webhook.pointer(),
                optional("authorize", Upstream::url),
                fields.text("whenSilent", "refuse"),
                fields.flag("failOpen"),
                fields.read("host", false, RouteReader::isUpstreamHost),
                keyHeaders(),
                fields.text("key", "optional"),
                fields.text("compare", "parts"),
                fields.text("serverErrors", "forget"));
    }

    private Upstream upstream() {
        Upstream own = Upstream.in(fields);
        Upstream upstream = own == null ? defaults.upstream() : own;
        if (upstream == null) {
            fields.note(fields.wrong(
                    "upstream", "is missing; name it here or for all routes, such as http://127.0.0.1:9000"));
            return Upstream.of("http://localhost");
        }
        return upstream;
    }

    private Operation operation(String name) {
        Duration retention = fields.span("retention", webhook == null ? defaults.retention() : WEBHOOK_RETENTION);
        Duration remembrance = fields.span("remembrance", retention);
        int largest = fields.number("answerBytes", 1 << 20);
        Operation named = fields.wrapped("name", Operation.named("route"), () -> Operation.named(name));
        Operation begun = fields.wrapped("answerBytes", named, () -> named.keepAnswersUpTo(largest))
                .whenAbandoned(fields.read("whenSilent", WhenAbandoned.refuse(), text -> whenSilent(text, largest)));
        Operation kept = fields.wrapped("retention", begun, () -> begun.retention(retention, remembrance));
        Operation leased = fields.wrapped("lease", kept, () -> kept.lease(fields.span("lease", defaults.lease())));
        return fields.wrapped("version", leased, () -> leased.version(fields.text("version", defaults.version())))
                .answersOfOtherVersions(
                        fields.choice("answersOfOtherVersions", OtherVersions.class, defaults.otherVersions()));
    }

    private WhenAbandoned whenSilent(String text, int largestAnswer) {
        return switch (text) {
            case "refuse" -> WhenAbandoned.refuse();
            case "rerun" -> WhenAbandoned.rerun();
            default ->
                WhenAbandoned.reconcile(new ReconcileHook(silenceUrl(text), defaults.certificates(), largestAnswer));
        };
    }

    private static String silenceUrl(String text) {
        if (!text.contains("://")) {
            throw new ConfigError(
                    "'" + text + "' is neither refuse nor rerun, nor a URL to ask, such as" + " http://host:port/path");
        }
        return Upstream.url(text);
    }

    private HttpRules rules(Set<String> methods) {
        HttpRules rules = HttpRules.standard()
                .namespace(defaults.namespace())
                .keys(fields.choice("key", KeyUse.class, KeyUse.OPTIONAL))
                .dialect(fields.choice("dialect", KeyDialect.class, KeyDialect.LENIENT))
                .largestBody(fields.number("bodyBytes", MOST_BODY))
                .replayHeaders(ReplayedCors.HEADERS.toArray(String[]::new))
                .renderReplays(new ReplayedCors())
                .statuses(statuses());
        rules = with("replayHeaders", rules, this::replayHeaders);
        rules = with("methods", rules, it -> it.methods(methods.toArray(String[]::new)));
        rules = with("keyCharacters", rules, it -> it.longestKey(fields.number("keyCharacters", MOST_KEY)));
        rules = with("header", rules, this::keyHeaders);
        rules = with("compare", rules, this::compared);
        rules = with("compareHeaders", rules, this::comparedHeaders);
        rules = fields.flag("failOpen") ? rules.failOpen() : rules;
        return fields.flag("advertiseRetention") ? rules.advertiseRetention() : rules;
    }

    private HttpRules with(String name, HttpRules rules, UnaryOperator<HttpRules> change) {
        return fields.wrapped(name, rules, () -> change.apply(rules));
    }

    private HttpRules replayHeaders(HttpRules rules) {
        return rules.replayHeaders(fields.texts("replayHeaders", List.of()).toArray(String[]::new));
    }

    private List<String> keyHeaders() {
        List<String> named = webhook == null ? List.of() : webhook.headers();
        return fields.texts("header", named);
    }

    private HttpRules keyHeaders(HttpRules rules) {
        HttpRules named = webhook == null ? rules : webhook.in(rules);
        return fields.has("header")
                ? named.keyHeaders(fields.texts("header", List.of()).toArray(String[]::new))
                : named;
    }

    private HttpRules compared(HttpRules rules) {
        return switch (fields.text("compare", "parts")) {
            case "parts" -> rules.compareBodies(BodyComparison.multipart());
            case "bytes" -> rules;
            case "json" -> rules.compareBodies(BodyComparison.json(), BodyComparison.multipart());
            case "nothing" -> rules.compareBodies(BodyComparison.uncompared());
            default -> throw new ConfigError("bodies are compared by parts, bytes, json or nothing");
        };
    }

    /** A service that is told the client's host may answer by it: then a retry through another host is another request. */
    private HttpRules comparedHeaders(HttpRules rules) {
        List<String> names = new ArrayList<>(fields.texts("compareHeaders", List.of()));
        if (!defaults.hostInScope() && !fields.read("host", false, RouteReader::isUpstreamHost)) {
            names.add("Host");
        }
        return rules.compareHeaders(names.toArray(String[]::new));
    }

    private StatusPolicy statuses() {
        StatusPolicy policy =
                StatusPolicy.standard().serverErrors(fields.choice("serverErrors", Keep.class, Keep.FORGET));
        if (webhook != null) {
            policy = WebhookPreset.forgettingRefusals(policy);
        }
        for (Map.Entry<String, String> each : fields.entries("statuses").entrySet()) {
            StatusPolicy before = policy;
            policy =
                    fields.wrapped("statuses", before, () -> before.with(status(each.getKey()), keep(each.getValue())));
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
}
