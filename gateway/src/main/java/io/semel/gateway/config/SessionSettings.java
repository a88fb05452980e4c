// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.Engine;
import io.semel.gateway.config.yaml.YamlSection;
import io.semel.http.HttpSessions;
import io.semel.session.Session;
import io.semel.session.Session.Mode;
import io.semel.session.SessionStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The terms of sessions that clients may register.
 *
 * @param cap the most that there may be; a full store refuses new ones
 * @param capPerCaller the most that one caller may have
 */
public record SessionSettings(Duration lease, int window, int cap, int capPerCaller, Mode mode) {

    private static final int WINDOW = 64;
    private static final int CAP = 10_000;

    public SessionSettings {
        var unused = Session.of("terms").lease(lease).window(window);
        if (cap < 1) {
            throw new IllegalArgumentException("cap is at least 1, not " + cap);
        }
        if (capPerCaller < 1) {
            throw new IllegalArgumentException("capPerCaller is at least 1, not " + capPerCaller);
        }
    }

    /** The sessions that clients are offered. */
    public HttpSessions offer(SessionStore store, Engine engine) {
        return HttpSessions.on(store, engine)
                .lease(lease)
                .window(window)
                .mostOfCaller(capPerCaller)
                .mode(mode);
    }

    /** Null where there are none. */
    public static @Nullable SessionSettings of(YamlSection fields) {
        YamlSection sessions = fields.fields("sessions", "lease", "window", "cap", "capPerCaller", "mode");
        return sessions == null
                ? null
                : fields.wrapped(
                        "sessions",
                        () -> new SessionSettings(
                                sessions.span("lease", Duration.ofMinutes(1)),
                                sessions.number("window", WINDOW),
                                sessions.number("cap", CAP),
                                sessions.number("capPerCaller", sessions.number("cap", CAP)),
                                sessions.choice("mode", Mode.class, Mode.SET)));
    }
}
