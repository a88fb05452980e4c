// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.Engine;
import io.semel.gateway.Gateway;
import io.semel.gateway.admin.AdminServer;
import io.semel.gateway.admin.api.Console;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.gateway.config.Address;
import io.semel.gateway.config.AdminSettings;
import io.semel.gateway.config.SealSettings;
import io.semel.gateway.config.SecretSource;
import io.semel.gateway.config.SessionSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.store.OpenStore;
import io.semel.gateway.store.StoreUrl;
import io.semel.http.HttpSessions;
import io.semel.seal.Seal;
import io.semel.session.SessionStore;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A gateway with its store and its operators' port, from start to close. */
record RunningGateway(
        OpenStore open,
        AuditLog audit,
        Console console,
        AdminServer operators,
        @Nullable AdminServer health,
        Gateway gateway,
        Purgers upkeep)
        implements AutoCloseable {

    static RunningGateway start(Settings settings, boolean createSchema, Path trail) {
        SealSettings keys = settings.seal();
        Seal seal = keys == null ? null : keys.open();
        byte[] secret = fingerprintSecret(settings);
        Deque<AutoCloseable> begun = new ArrayDeque<>();
        try {
            OpenStore open = begun(StoreUrl.open(settings.stores(), createSchema), begun);
            AuditLog audit = new AuditLog(trail);
            Engine engine = secret(sealed(Engine.on(open.store()), seal), secret);
            Console console = new Console(open, engine, audit, settings.longestRetention());
            AdminServer operators = begun(AdminServer.start(settings.admin(), console), begun);
            Address port = settings.admin().health();
            AdminServer health =
                    port == null ? null : begun(AdminServer.startHealth(port, settings.admin(), console), begun);
            SessionSettings terms = settings.sessions();
            SessionStore kept = terms == null ? null : open.sessions(terms.cap());
            HttpSessions sessions = terms == null || kept == null
                    ? null
                    : terms.offer(
                            kept,
                            secret(sealed(Engine.on(kept), seal), secret)
                                    .withListener(console.watch(kept, settings.anonymousScope(), terms.cap())));
            Gateway gateway = Gateway.start(settings, engine.withListener(console), sessions, open.isQuick());
            console.watch(gateway);
            Purgers upkeep = Purgers.start(open.store(), kept, console);
            return new RunningGateway(open, audit, console, operators, health, gateway, upkeep);
        } catch (RuntimeException e) {
            closeAll(begun, e);
            throw e;
        }
    }

    static Engine sealed(Engine engine, @Nullable Seal seal) {
        return seal == null ? engine : engine.withSeal(seal);
    }

    /** Reads it now; null where there is none. */
    static byte @Nullable [] fingerprintSecret(Settings settings) {
        SecretSource source = settings.fingerprintSecret();
        return source == null ? null : source.readBytes();
    }

    private static Engine secret(Engine engine, byte @Nullable [] forFingerprints) {
        try {
            return forFingerprints == null ? engine : engine.withFingerprintSecret(forFingerprints);
        } catch (IllegalArgumentException e) {
            throw new ConfigError("The fingerprintSecret cannot be used. " + e.getMessage(), e);
        }
    }

    private static <T extends AutoCloseable> T begun(T started, Deque<AutoCloseable> begun) {
        begun.push(started);
        return started;
    }

    private static void closeAll(Deque<AutoCloseable> begun, RuntimeException why) {
        for (AutoCloseable each : begun) {
            try {
                each.close();
            } catch (Exception e) {
                why.addSuppressed(e);
            }
        }
    }

    String address() {
        AdminSettings admin = gateway.settings().admin();
        return admin.scheme() + "://" + admin.address().host() + ":"
                + operators.address().getPort();
    }

    /** The console's counts, which differ from the clients' own. */
    String counted() {
        Map<String, Long> counts = console.outcomes();
        return "The console counts what the gateway did, also for clients that were gone before their answer came:\n"
                + Stream.of("executed", "replayed", "mismatch", "busy", "unknown")
                        .map(name -> name + " " + String.format(Locale.ROOT, "%,d", counts.getOrDefault(name, 0L)))
                        .collect(Collectors.joining(", "))
                + ".";
    }

    @Override
    public void close() {
        upkeep.close();
        gateway.close();
        operators.close();
        if (health != null) {
            health.close();
        }
        open.close();
    }
}
