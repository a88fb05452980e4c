// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.gateway.config.ScopeSettings.Jwt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads settings from semel.yaml; what the command line says comes on top. */
public final class SettingsReader {

    private static final List<String> KNOWN = List.of(
            "listen",
            "admin",
            "adminToken",
            "audit",
            "store",
            "upstream",
            "namespace",
            "retention",
            "lease",
            "limits",
            "scope",
            "tls",
            "upstreamTls",
            "sessions",
            "routes");

    private final String file;
    private final Overrides overrides;

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
            throw new ConfigError("There is no file " + file + " to read settings from; see --config.", e);
        } catch (IOException e) {
            throw new ConfigError("The settings cannot be read from " + file + ": " + e.getMessage(), e);
        }
    }

    private Settings read(String yaml) {
        Fields fields = new Fields(file, "", parse(yaml), KNOWN);
        Defaults defaults = new Defaults(
                overrides.upstream() != null
                        ? Upstream.of(overrides.upstream())
                        : fields.find("upstream", Upstream::of),
                fields.text("namespace", "http"),
                fields.span("retention", Duration.ofDays(1)),
                fields.span("lease", Duration.ofSeconds(30)));
        List<String> stores = overrides.stores().isEmpty()
                ? fields.texts("store", List.of("rocksdb:./semel-data"))
                : overrides.stores();
        return new Settings(
                overrides.listen() != null
                        ? Address.of(overrides.listen())
                        : fields.read("listen", Address.of("127.0.0.1:8080"), Address::of),
                overrides.admin() != null
                        ? Address.of(overrides.admin())
                        : fields.read("admin", Address.of("127.0.0.1:8081"), Address::of),
                overrides.adminToken() != null ? overrides.adminToken() : fields.text("adminToken"),
                stores,
                Path.of(fields.text("audit", audit(stores))),
                defaults.namespace(),
                limits(fields),
                scope(fields),
                tls(fields, "tls"),
                tls(fields, "upstreamTls"),
                SessionSettings.of(fields),
                routes(fields, defaults));
    }

    /** Beside what it is about, where that is a directory. */
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
            String message = String.valueOf(e.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; ");
            throw new ConfigError(file + " is not YAML: " + message, e);
        }
    }

    private List<RouteSettings> routes(Fields fields, Defaults defaults) {
        List<RouteSettings> routes = new ArrayList<>();
        for (Fields route : fields.list("routes", RouteReader.KNOWN)) {
            routes.add(RouteReader.read(route, defaults));
        }
        if (defaults.upstream() != null) {
            Node everything = parse("{path: /**, name: default}");
            routes.add(RouteReader.read(new Fields(file, "", everything, RouteReader.KNOWN), defaults));
        } else if (routes.isEmpty()
                || !routes.get(routes.size() - 1).path().toString().equals("/**")) {
            throw new ConfigError(
                    "There is no upstream for paths that no route takes; give --upstream http://host:port, or upstream: in "
                            + file + ", or end the routes with one for /**.");
        }
        return List.copyOf(routes);
    }

    private static Limits limits(Fields fields) {
        Limits usual = Limits.DEFAULT;
        Fields limits = fields.fields(
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
                "storeThreads");
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
                        limits.number("storeThreads", usual.storeThreads())));
    }

    private static ScopeSettings scope(Fields fields) {
        Fields scope = fields.fields("scope", "credentials", "tenantHeader", "jwt");
        if (scope == null) {
            return ScopeSettings.DEFAULT;
        }
        return new ScopeSettings(
                scope.texts("credentials", ScopeSettings.DEFAULT.credentials()),
                scope.text("tenantHeader"),
                jwt(scope));
    }

    private static @Nullable Jwt jwt(Fields scope) {
        Fields jwt = scope.fields("jwt", "jwks", "keys", "issuer", "audience");
        if (jwt == null) {
            return null;
        }
        String issuer = jwt.text("issuer");
        if (issuer == null) {
            throw jwt.wrong("issuer", "is missing; tokens of any other issuer are refused");
        }
        if (jwt.has("jwks") == jwt.has("keys")) {
            throw jwt.wrong("jwks", "or keys: give one of them, the URL or the file of the issuer's keys");
        }
        return new Jwt(jwt.text("jwks"), jwt.file("keys"), issuer, jwt.text("audience"));
    }

    private static TlsFiles tls(Fields fields, String name) {
        Fields tls = fields.fields(name, "certificate", "key", "trust");
        if (tls == null) {
            return TlsFiles.NONE;
        }
        if (tls.has("certificate") != tls.has("key")) {
            throw tls.wrong("key", "and certificate belong together; give both or none");
        }
        return new TlsFiles(tls.file("certificate"), tls.file("key"), tls.file("trust"));
    }
}
