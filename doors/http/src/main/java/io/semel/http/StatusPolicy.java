// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The policy, by status, for keeping a handler's answers; immutable, each method gives a changed copy. */
public final class StatusPolicy {

    /** The fate of a key after the handler has answered. */
    public enum Keep {
        /** Every retry gets this answer. */
        RECORD,
        /** The key is free, and a retry runs. */
        FORGET,
        /** The outcome is unknown: retries are refused until an operator resolves it. */
        HOLD
    }

    /**
     * Answers that say "not you", "not now" or "not so much": who asks again after logging in or waiting must get
     * through, and whoever lost a right must not keep the answer of the time when they had it.
     */
    private static final Set<Integer> PASSING = Set.of(401, 403, 407, 408, 413, 425, 429, 503);

    private static final int CONFLICT = 409;
    private static final int CLIENT_ERRORS = 400;
    private static final int SERVER_ERRORS = 500;
    private static final StatusPolicy STANDARD = new StatusPolicy(Keep.FORGET, Map.of());

    private final Keep serverErrors;
    private final Map<Integer, Keep> exceptions;

    private StatusPolicy(Keep serverErrors, Map<Integer, Keep> exceptions) {
        this.serverErrors = serverErrors;
        this.exceptions = exceptions;
    }

    /**
     * Records everything below 500 and forgets the rest. 401, 403, 407, 408, 413, 425, 429 and 503 are forgotten in
     * any case, and so is a 409 with Retry-After, which says that somebody else is at it.
     */
    public static StatusPolicy standard() {
        return STANDARD;
    }

    /** The policy for answers from 500 on. */
    public StatusPolicy serverErrors(Keep keep) {
        return new StatusPolicy(keep, exceptions);
    }

    /** The policy for one status; those that are never recorded can only be forgotten or held. */
    public StatusPolicy with(int status, Keep keep) {
        if (keep == Keep.RECORD && PASSING.contains(status)) {
            throw new IllegalArgumentException(
                    "A " + status + " is about the moment, not about the request, and is never recorded.");
        }
        Map<Integer, Keep> more = new TreeMap<>(exceptions);
        more.put(status, keep);
        return new StatusPolicy(serverErrors, more);
    }

    /** The same with every 4xx forgotten, for routes whose callers are not authenticated before. */
    public StatusPolicy forgettingRefusals() {
        StatusPolicy changed = this;
        for (int status = CLIENT_ERRORS; status < SERVER_ERRORS; status++) {
            changed = changed.with(status, Keep.FORGET);
        }
        return changed;
    }

    /** A failed answer rolls back record and effect where they commit together, so that nothing is ever unknown. */
    Keep of(Answer answer, boolean joined) {
        Keep keep = of(answer);
        boolean rolledBack = answer.status() >= SERVER_ERRORS || keep == Keep.HOLD;
        return joined && rolledBack ? Keep.FORGET : keep;
    }

    private Keep of(Answer answer) {
        int status = answer.status();
        Keep exception = exceptions.get(status);
        if (exception != null) {
            return exception;
        }
        if (PASSING.contains(status)
                || (status == CONFLICT && answer.header("Retry-After").isPresent())) {
            return Keep.FORGET;
        }
        return status >= SERVER_ERRORS ? serverErrors : Keep.RECORD;
    }
}
