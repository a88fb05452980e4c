// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

/** Ends the reading of a body that its form cannot compare; it has no stack trace, because clients decide how often it happens. */
final class BadBody extends Exception {

    private static final long serialVersionUID = 1L;

    private final Problem.Type type;
    private final String detail;

    private BadBody(Problem.Type type, String detail) {
        super(detail, null, false, false);
        this.type = type;
        this.detail = detail;
    }

    static BadBody unreadable(String detail) {
        return new BadBody(Problem.Type.UNREADABLE_BODY, detail);
    }

    static BadBody tooLarge(long most) {
        return new BadBody(
                Problem.Type.BODY_TOO_LARGE, "A request with a key may carry a body of up to " + most + " bytes here.");
    }

    Problem.Type type() {
        return type;
    }

    String detail() {
        return detail;
    }
}
