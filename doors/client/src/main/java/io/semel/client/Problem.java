// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.Transport.Sign;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why a service behind Semel's HTTP door did not run a request, or cannot answer it; {@code docs/http-profile.md} explains each. */
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
    TOO_MANY_SESSIONS(Sign.NOT_RUN),
    RESULT_UNREADABLE(Sign.CARRIED_OUT),
    UNSUPPORTED(Sign.NOT_RUN),
    SESSIONS_FULL(Sign.NOT_RUN),
    STORE_UNAVAILABLE(Sign.NOT_RUN);

    private final Sign sign;

    Problem(Sign sign) {
        this.sign = sign;
    }

    Sign sign() {
        return sign;
    }

    /** Whether waiting helps without being told for how long. */
    boolean passes() {
        return this == IN_PROGRESS || this == TOO_MANY_SESSIONS || this == SESSIONS_FULL || this == STORE_UNAVAILABLE;
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
            if (type.equals(base + problem.slug())) {
                return problem;
            }
        }
        return null;
    }
}
