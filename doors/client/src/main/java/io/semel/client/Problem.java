// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.Transport.Sign;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why a service behind Semel's HTTP door did not run a request, or cannot answer it; {@code docs/http-profile.md} explains each.
 * Behind them stand those that the gateway has of its own, {@code docs/gateway.md}, as far as they say more than their status does.
 */
public enum Problem {
    MISSING_KEY(Sign.NOT_RUN),
    MALFORMED_KEY(Sign.NOT_RUN),
    MALFORMED_FIRST_SENT(Sign.NOT_RUN),
    MALFORMED_SESSION(Sign.NOT_RUN),
    FUTURE_DATED(Sign.NOT_RUN),
    UNREADABLE_BODY(Sign.NOT_RUN),
    SESSION_UNKNOWN(Sign.NOT_RUN),
    CODING_NOT_ACCEPTABLE(Sign.CARRIED_OUT),
    IN_PROGRESS(Sign.MAYBE),
    OUTCOME_UNKNOWN(Sign.MAYBE),
    SESSION_OUT_OF_ORDER(Sign.NOT_RUN),
    SESSION_WINDOW_FULL(Sign.NOT_RUN),
    SESSION_EXPIRED(Sign.NOT_RUN),
    SESSION_STALE(Sign.MAYBE),
    GONE(Sign.MAYBE),
    RESULT_UNAVAILABLE(Sign.CARRIED_OUT),
    BODY_TOO_LARGE(Sign.NOT_RUN),
    KEY_REUSED(Sign.NOT_RUN),
    REJECTED(Sign.NOT_RUN),
    TOO_MANY_SESSIONS(Sign.NOT_RUN),
    RESULT_UNREADABLE(Sign.CARRIED_OUT),
    UNSUPPORTED(Sign.NOT_RUN),
    SESSIONS_FULL(Sign.NOT_RUN),
    STORE_UNAVAILABLE(Sign.NOT_RUN),

    MALFORMED_REQUEST(Sign.NOT_RUN, By.GATEWAY),
    AMBIGUOUS_TARGET(Sign.NOT_RUN, By.GATEWAY),
    TLS_EXPECTED(Sign.NOT_RUN, By.GATEWAY),
    CALLER_AMBIGUOUS(Sign.NOT_RUN, By.GATEWAY),
    ANONYMOUS_REFUSED(Sign.NOT_RUN, By.GATEWAY),
    /** There is a kept answer, so it was carried out before. */
    FORBIDDEN(Sign.CARRIED_OUT, By.GATEWAY),
    METHOD_REFUSED(Sign.NOT_RUN, By.GATEWAY),
    TOO_SLOW(Sign.NOT_RUN, By.GATEWAY),
    URI_TOO_LONG(Sign.NOT_RUN, By.GATEWAY),
    TOO_MUCH_AT_ONCE(Sign.NOT_RUN, By.GATEWAY),
    QUOTA_USED_UP(Sign.NOT_RUN, By.GATEWAY),
    HEADER_TOO_LARGE(Sign.NOT_RUN, By.GATEWAY),
    NOT_IMPLEMENTED(Sign.NOT_RUN, By.GATEWAY),
    CREDENTIAL_NOT_CONFIGURED(Sign.NOT_RUN, By.GATEWAY),
    CREDENTIAL_CHANGES(Sign.NOT_RUN, By.GATEWAY),
    UPSTREAM_UNREACHABLE(Sign.NOT_RUN, By.GATEWAY),
    OVERLOADED(Sign.NOT_RUN, By.GATEWAY),
    TOO_MANY_CONNECTIONS(Sign.NOT_RUN, By.GATEWAY),
    CALLER_NOT_CHECKED(Sign.NOT_RUN, By.GATEWAY);

    /** The gateway has no pages of its own to name, whatever the service behind it does. */
    private static final String GATEWAYS_BASE = "urn:semel:problem:";

    private final Sign sign;
    private final By by;

    Problem(Sign sign) {
        this(sign, By.DOOR);
    }

    Problem(Sign sign, By by) {
        this.sign = sign;
        this.by = by;
    }

    boolean isGateways() {
        return by == By.GATEWAY;
    }

    Sign sign() {
        return sign;
    }

    /** Whether waiting helps without being told for how long. */
    boolean passes() {
        return switch (this) {
            case IN_PROGRESS, TOO_MANY_SESSIONS, SESSIONS_FULL, STORE_UNAVAILABLE -> true;
            case TOO_SLOW, TOO_MUCH_AT_ONCE, QUOTA_USED_UP, UPSTREAM_UNREACHABLE -> true;
            case OVERLOADED, TOO_MANY_CONNECTIONS, CALLER_NOT_CHECKED -> true;
            default -> false;
        };
    }

    /** Whether there is no such session any more. */
    boolean endsSession() {
        return this == SESSION_UNKNOWN || this == SESSION_EXPIRED;
    }

    String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The problem that a type names; null where it is none of ours, and the status has to do. */
    static @Nullable Problem of(String type, String base) {
        for (Problem problem : values()) {
            if (type.equals((problem.isGateways() ? GATEWAYS_BASE : base) + problem.slug())) {
                return problem;
            }
        }
        return null;
    }

    /** Who says it. */
    private enum By {
        DOOR,
        GATEWAY
    }
}
