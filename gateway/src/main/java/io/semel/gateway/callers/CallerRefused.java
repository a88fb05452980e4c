// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import org.jspecify.annotations.Nullable;

/** The caller of a request cannot be identified; without a stack trace, because clients decide how often it happens. */
public final class CallerRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    private CallerRefused(Reason reason, String detail) {
        this(reason, detail, null);
    }

    private CallerRefused(Reason reason, String detail, @Nullable Throwable cause) {
        super(detail, cause, false, false);
        this.reason = reason;
    }

    static CallerRefused notNow(Throwable cause) {
        return new CallerRefused(Reason.CALLER_NOT_CHECKED, "The token issuer is unavailable.", cause);
    }

    static CallerRefused unauthenticated(String detail) {
        return new CallerRefused(Reason.UNAUTHENTICATED, detail);
    }

    static CallerRefused notConfigured(String header) {
        return new CallerRefused(
                Reason.CREDENTIAL_NOT_CONFIGURED,
                "The request shows a credential in '" + header
                        + "', which the gateway's settings do not name, so it cannot"
                        + " identify the caller. The request was not executed. Operators: add it to scope.credentials"
                        + (header.equals("cookie") ? " or scope.cookie" : "")
                        + ", or to scope.ignored if it does not identify the caller.");
    }

    static CallerRefused changing(String scheme) {
        return new CallerRefused(
                Reason.CREDENTIAL_CHANGES,
                "An Authorization header of the scheme '" + scheme
                        + "' differs with every request, so a retry could"
                        + " not be told from another caller's request. The request was not executed. Operators: identify the caller by"
                        + " scope.header from a trusted proxy, scope.jwt or a client certificate, and put Authorization"
                        + " under scope.ignored.");
    }

    static CallerRefused ambiguous(String header) {
        return new CallerRefused(
                Reason.CALLER_AMBIGUOUS,
                "The request names more than one caller in '" + header + "'. It was not executed. Send one.");
    }

    static CallerRefused anonymous() {
        return new CallerRefused(
                Reason.ANONYMOUS_REFUSED,
                "The request has a key and no credential. It was not executed. Send it with your credential.");
    }

    public Reason reason() {
        return reason;
    }

    /** The reason. */
    public enum Reason {
        /** A credential is not good. */
        UNAUTHENTICATED,
        /** Whether a credential is good cannot be said at the moment. */
        CALLER_NOT_CHECKED,
        /** A credential is shown that the settings do not name. */
        CREDENTIAL_NOT_CONFIGURED,
        /** A credential is shown that is never the same twice. */
        CREDENTIAL_CHANGES,
        /** Two callers are named where one can be. */
        CALLER_AMBIGUOUS,
        /** No credential is shown, and the settings want one. */
        ANONYMOUS_REFUSED
    }
}
