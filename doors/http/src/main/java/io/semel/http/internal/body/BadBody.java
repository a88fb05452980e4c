// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

/** A body that cannot be compared; it has no stack trace, because clients decide how often it happens. */
public final class BadBody extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean tooLarge;
    private final String detail;

    private BadBody(boolean tooLarge, String detail) {
        super(detail, null, false, false);
        this.tooLarge = tooLarge;
        this.detail = detail;
    }

    static BadBody unreadable(String detail) {
        return new BadBody(false, detail);
    }

    public static BadBody tooLarge(long most) {
        return new BadBody(
                true,
                "The body of a request with a key may have at most " + most
                        + " bytes here. The request was not executed.");
    }

    public boolean isTooLarge() {
        return tooLarge;
    }

    public String detail() {
        return detail;
    }
}
