// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.Transport.Evidence;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why a service behind Semel's HTTP door did not run a request, or cannot answer it; {@code docs/http-profile.md} explains each.
 * Behind them stand those that the gateway has of its own, {@code docs/gateway.md}, as far as they say more than their status does.
 */
public enum ProblemType {
    MISSING_KEY(Evidence.NOT_RUN),
    MALFORMED_KEY(Evidence.NOT_RUN),
    MALFORMED_FIRST_SENT(Evidence.NOT_RUN),
    MALFORMED_SESSION(Evidence.NOT_RUN),
    FUTURE_DATED(Evidence.NOT_RUN),
    UNREADABLE_BODY(Evidence.NOT_RUN),
    SESSION_UNKNOWN(Evidence.NOT_RUN),
    CODING_NOT_ACCEPTABLE(Evidence.CARRIED_OUT),
    IN_PROGRESS(Evidence.MAYBE),
    OUTCOME_UNKNOWN(Evidence.MAYBE),
    SESSION_OUT_OF_ORDER(Evidence.NOT_RUN),
    SESSION_WINDOW_FULL(Evidence.NOT_RUN),
    SESSION_EXPIRED(Evidence.NOT_RUN),
    SESSION_STALE(Evidence.MAYBE),
    GONE(Evidence.MAYBE),
    RESULT_UNAVAILABLE(Evidence.CARRIED_OUT),
    BODY_TOO_LARGE(Evidence.NOT_RUN),
    KEY_REUSED(Evidence.NOT_RUN),
    REJECTED(Evidence.NOT_RUN),
    TOO_MANY_SESSIONS(Evidence.NOT_RUN),
    RESULT_UNREADABLE(Evidence.CARRIED_OUT),
    UNSUPPORTED(Evidence.NOT_RUN),
    SESSIONS_FULL(Evidence.NOT_RUN),
    STORE_UNAVAILABLE(Evidence.NOT_RUN),

    MALFORMED_REQUEST(Evidence.NOT_RUN, By.GATEWAY),
    AMBIGUOUS_TARGET(Evidence.NOT_RUN, By.GATEWAY),
    TLS_EXPECTED(Evidence.NOT_RUN, By.GATEWAY),
    CALLER_AMBIGUOUS(Evidence.NOT_RUN, By.GATEWAY),
    ANONYMOUS_REFUSED(Evidence.NOT_RUN, By.GATEWAY),
    /** There is a kept answer, so it was carried out before. */
    FORBIDDEN(Evidence.CARRIED_OUT, By.GATEWAY),
    METHOD_REFUSED(Evidence.NOT_RUN, By.GATEWAY),
    TOO_SLOW(Evidence.NOT_RUN, By.GATEWAY),
    /** Its status alone would say that nothing was run. */
    BODY_CUT_SHORT(Evidence.MAYBE, By.GATEWAY),
    URI_TOO_LONG(Evidence.NOT_RUN, By.GATEWAY),
    TOO_MUCH_AT_ONCE(Evidence.NOT_RUN, By.GATEWAY),
    QUOTA_USED_UP(Evidence.NOT_RUN, By.GATEWAY),
    HEADER_TOO_LARGE(Evidence.NOT_RUN, By.GATEWAY),
    NOT_IMPLEMENTED(Evidence.NOT_RUN, By.GATEWAY),
    CREDENTIAL_NOT_CONFIGURED(Evidence.NOT_RUN, By.GATEWAY),
    CREDENTIAL_CHANGES(Evidence.NOT_RUN, By.GATEWAY),
    UPSTREAM_UNREACHABLE(Evidence.NOT_RUN, By.GATEWAY),
    OVERLOADED(Evidence.NOT_RUN, By.GATEWAY),
    TOO_MANY_CONNECTIONS(Evidence.NOT_RUN, By.GATEWAY),
    CALLER_NOT_CHECKED(Evidence.NOT_RUN, By.GATEWAY);

    /** The gateway has no pages of its own to name, whatever the service behind it does. */
    private static final String GATEWAYS_BASE = "urn:semel:problem:";

    private final Evidence evidence;
    private final By by;

    ProblemType(Evidence evidence) {
        this(evidence, By.DOOR);
    }

    ProblemType(Evidence evidence, By by) {
        this.evidence = evidence;
        this.by = by;
    }

    boolean isGateways() {
        return by == By.GATEWAY;
    }

    Evidence evidence() {
        return evidence;
    }

    /** Whether waiting helps without being told for how long. */
    boolean passes() {
        return switch (this) {
            case IN_PROGRESS, TOO_MANY_SESSIONS, SESSIONS_FULL, STORE_UNAVAILABLE -> true;
            case TOO_SLOW, BODY_CUT_SHORT, TOO_MUCH_AT_ONCE, QUOTA_USED_UP, UPSTREAM_UNREACHABLE -> true;
            case OVERLOADED, TOO_MANY_CONNECTIONS, CALLER_NOT_CHECKED -> true;
            default -> false;
        };
    }

    /** Whether there is no such session any more. */
    boolean endsSession() {
        return this == SESSION_UNKNOWN || this == SESSION_EXPIRED;
    }

    /** The name in the problem's URI: lower case, with hyphens. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The problem of that {@link #slug}; null if there is none. */
    public static @Nullable ProblemType named(String slug) {
        for (ProblemType problem : values()) {
            if (problem.slug().equals(slug)) {
                return problem;
            }
        }
        return null;
    }

    /** The problem that a type names; null where it is none of ours, and the status has to do. */
    static @Nullable ProblemType of(String type, String base) {
        for (ProblemType problem : values()) {
            if (type.equals((problem.isGateways() ? GATEWAYS_BASE : base) + problem.slug())) {
                return problem;
            }
        }
        return null;
    }

    /** The origin of a problem. */
    private enum By {
        DOOR,
        GATEWAY
    }
}
