// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.file;

import io.semel.Operation.OtherVersions;
import io.semel.gateway.config.AccessLogSettings;
import io.semel.gateway.config.Address;
import io.semel.gateway.config.AdminSettings;
import io.semel.gateway.config.ClientCert;
import io.semel.gateway.config.Limits;
import io.semel.gateway.config.QuotaSettings;
import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.ScopeSettings;
import io.semel.gateway.config.SealSettings;
import io.semel.gateway.config.SecretSource;
import io.semel.gateway.config.SessionSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.TlsFiles;
import io.semel.gateway.config.TrustedProxies;
import io.semel.gateway.config.Upstream;
import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.config.yaml.ConfigProblems;
import io.semel.gateway.config.yaml.YamlSection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the settings from semel.yaml; the command line takes precedence. */
public final class SettingsReader {

    private static final List<String> KNOWN = List.of(
            "listen",
            "admin",
            "adminToken",
            "adminViewToken",
            "adminTls",
            "health",
            "audit",
            "accessLog",
            "requestId",
            "store",
            "seal",
            "fingerprintSecret",
            "upstream",
            "namespace",
            "retention",
            "lease",
            "version",
            "answersOfOtherVersions",
            "limits",
            "quotas",
            "scope",
            "trustedProxies",
            "tls",
            "clientCert",
            "upstreamTls",
            "sessions",
            "routes");

    private final String file;
    private final Overrides overrides;
    private final ConfigProblems problems = new ConfigProblems();

    private SettingsReader(String file, Overrides overrides) {
        this.file = file;
        this.overrides = overrides;
    }

    /** From the command line alone. */
    public static Settings read(Overrides overrides) {
        return new SettingsReader("command line", overrides).read("{}");
    }

    public static Settings read(Path file, Overrides overrides) {
        try {
            return new SettingsReader(file.toString(), overrides).read(Files.readString(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw new ConfigError("The settings file " + file + " does not exist; see --config.", e);
        } catch (IOException e) {
            throw new ConfigError("The settings cannot be read from " + file + ": " + e.getMessage(), e);
        }
    }

    private Settings read(String yaml) {
        YamlSection fields = new YamlSection(file, "", parse(yaml), KNOWN, problems);
        TrustedProxies proxies = problems.attempt(() -> proxies(fields), TrustedProxies.NONE);
        ScopeSettings scope = problems.attempt(() -> ScopeSettings.of(fields, proxies), ScopeSettings.DEFAULT);
        TlsFiles upstreamTls =
                problems.attempt(() -> tls(fields, "upstreamTls", "certificate", "key", "trust"), TlsFiles.NONE);
        RouteDefaults defaults = new RouteDefaults(
                overrides.upstream() != null ? Upstream.of(overrides.upstream()) : Upstream.in(fields),
                fields.text("namespace", "http"),
                fields.span("retention", Duration.ofDays(1)),
                fields.span("lease", Duration.ofSeconds(30)),
                fields.text("version", ""),
                fields.choice("answersOfOtherVersions", OtherVersions.class, OtherVersions.REPLAY),
                upstreamTls,
                scope.host());
        List<String> stores = overrides.stores().isEmpty()
                ? fields.texts("store", List.of("rocksdb:./semel-data"))
                : overrides.stores();
        Settings settings = new Settings(
                overrides.listen() != null
                        ? Address.of(overrides.listen())
                        : fields.read("listen", Address.of("127.0.0.1:8080"), Address::of),
                admin(fields),
                stores,
                optional(() -> SealSettings.of(fields)),
                optional(() -> SecretSource.in(fields, "fingerprintSecret", "The fingerprintSecret")),
                Path.of(fields.text("audit", audit(stores))),
                optional(() -> AccessLogSettings.of(fields)),
                requestId(fields.read("requestId", "X-Request-Id", SettingsReader::headerName)),
                defaults.namespace(),
                problems.attempt(() -> limits(fields), Limits.DEFAULT),
                problems.attempt(() -> QuotaSettings.of(fields), QuotaSettings.NONE),
                scope,
                proxies,
                problems.attempt(() -> clients(fields), TlsFiles.NONE),
                fields.choice("clientCert", ClientCert.class, ClientCert.CERTIFICATE),
                upstreamTls,
                optional(() -> SessionSettings.of(fields)),
                problems.attempt(() -> routes(fields, defaults), List.of()));
        problems.throwIfAny();
        return settings;
    }

    private AdminSettings admin(YamlSection fields) {
        return new AdminSettings(
                overrides.admin() != null
                        ? Address.of(overrides.admin())
                        : fields.read("admin", Address.of("127.0.0.1:8081"), Address::of),
                overrides.adminToken() != null ? overrides.adminToken() : fields.text("adminToken"),
                fields.text("adminViewToken"),
                problems.attempt(() -> tls(fields, "adminTls", "certificate", "key"), TlsFiles.NONE),
                optional(() -> fields.find("health", Address::of)));
    }

    private static @Nullable String requestId(String name) {
        return name.equals("none") ? null : name;
    }

    private static String headerName(String text) {
        if (!text.matches("[A-Za-z0-9-]{1,64}")) {
            throw new ConfigError("'" + text + "' is not the name of a header; write X-Request-Id, or none");
        }
        return text;
    }

    /** Null too where it is wrong, which is noted. */
    private <T> @Nullable T optional(Supplier<@Nullable T> reading) {
        try {
            return reading.get();
        } catch (ConfigError e) {
            problems.add(e);
            return null;
        }
    }

    /** Beside the store, if the store is a directory. */
    private static String audit(List<String> stores) {
        String directory = "rocksdb:";
        return stores.stream()
                .filter(url -> url.startsWith(directory))
                .map(url ->
                        Path.of(url.substring(directory.length()), "audit.log").toString())
                .findFirst()
                .orElse("semel-audit.log");
    }

    private Node parse(String yaml) {
        try {
            LoadSettings settings = LoadSettings.builder().setLabel(file).build();
            Node none = new Compose(settings).composeString("{}").orElseThrow();
            return new Compose(settings).composeString(yaml).orElse(none);
        } catch (YamlEngineException e) {
            throw new ConfigError(file + " is not YAML" + reason(e));
        }
    }

    /** Without the line itself, and without a cause that has it: it may be one with a password. */
    private static String reason(YamlEngineException e) {
        if (!(e instanceof MarkedYamlEngineException marked)) {
            return ".";
        }
        String line = marked.getProblemMark()
                .map(mark -> " in line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1))
                .orElse("");
        String problem = String.valueOf(marked.getProblem());
        String hint = problem.contains("mapping values are not allowed")
                ? "; what has a colon at its end, or before a space, needs quotes, such as store: 'memory:'"
                : "";
        return line + ": " + problem + hint;
    }

    private List<RouteSettings> routes(YamlSection fields, RouteDefaults defaults) {
        List<RouteSettings> routes = new ArrayList<>();
        for (YamlSection route : fields.list("routes", RouteReader.KNOWN)) {
            try {
                routes.add(RouteReader.read(route, defaults));
            } catch (ConfigError e) {
                problems.add(e);
            }
        }
        if (defaults.upstream() != null) {
            Node everything = parse("{path: /**, name: default}");
            routes.add(RouteReader.read(new YamlSection(file, "", everything, RouteReader.KNOWN, problems), defaults));
        } else if (problems.isEmpty()
                && (routes.isEmpty()
                        || !routes.get(routes.size() - 1).path().toString().equals("/**"))) {
            throw new ConfigError(
                    "There is no upstream for paths that no route takes; give --upstream http://host:port, or"
                            + " upstream: in "
                            + file + ", or end the routes with one for /**.");
        }
        return List.copyOf(routes);
    }

    private static Limits limits(YamlSection fields) {
        Limits usual = Limits.DEFAULT;
        YamlSection limits = fields.fields(
                "limits",
                "headerBytes",
                "bufferBytes",
                "connections",
                "upstreamConnections",
                "streams",
                "headerTime",
                "bodyTime",
                "idleTime",
                "connectTime",
                "answerTime",
                "keepTime",
                "drainTime",
                "storeThreads",
                "bodyRate",
                "addressShare",
                "addressConnections",
                "tunnels",
                "tunnelTime");
        if (limits == null) {
            return usual;
        }
        return fields.wrapped(
                "limits",
                () -> new Limits(
                        limits.number("headerBytes", usual.headerBytes()),
                        limits.bytes("bufferBytes", usual.bufferBytes()),
                        limits.number("connections", usual.connections()),
                        limits.number("upstreamConnections", usual.upstreamConnections()),
                        limits.number("streams", usual.streams()),
                        limits.span("headerTime", usual.headerTime()),
                        limits.span("bodyTime", usual.bodyTime()),
                        limits.span("idleTime", usual.idleTime()),
                        limits.span("connectTime", usual.connectTime()),
                        limits.span("answerTime", usual.answerTime()),
                        limits.span("keepTime", usual.keepTime()),
                        limits.span("drainTime", usual.drainTime()),
                        limits.number("storeThreads", usual.storeThreads()),
                        limits.bytes("bodyRate", usual.bodyRate()),
                        limits.number("addressShare", usual.addressShare()),
                        limits.number("addressConnections", usual.addressConnections()),
                        limits.number("tunnels", usual.tunnels()),
                        limits.span("tunnelTime", usual.tunnelTime())));
    }

    private static TrustedProxies proxies(YamlSection fields) {
        return fields.wrapped("trustedProxies", () -> TrustedProxies.of(fields.texts("trustedProxies", List.of())));
    }

    private static TlsFiles clients(YamlSection fields) {
        TlsFiles files = tls(fields, "tls", "certificate", "key", "trust");
        if (files.trust() != null && !files.isServer()) {
            throw fields.wrong("tls", "has trust and no certificate; without TLS nobody can show one");
        }
        return files;
    }

    private static TlsFiles tls(YamlSection fields, String name, String... known) {
        YamlSection tls = fields.fields(name, known);
        if (tls == null) {
            return TlsFiles.NONE;
        }
        if (tls.has("certificate") != tls.has("key")) {
            throw tls.wrong("key", "and certificate belong together; give both or none");
        }
        return new TlsFiles(tls.file("certificate"), tls.file("key"), tls.file("trust"));
    }
}
