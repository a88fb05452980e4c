// SPDX-License-Identifier: Apache-2.0
package io.semel;

/**
 * Thrown by work to say no for good: unlike every other exception it is an answer, so it is recorded, and every retry
 * gets an equal one without running the work.
 */
public final class Rejection extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String code;
    private final String detail;
    private final boolean replayed;

    /** The code is for programs, the detail for people; neither may hold a secret. */
    public Rejection(String code, String detail) {
        this(code, detail, false);
    }

    /** For the engine: a rejection that may be the recorded one, thrown again. */
    public Rejection(String code, String detail, boolean replayed) {
        super(code + ": " + detail);
        this.code = code;
        this.detail = detail;
        this.replayed = replayed;
    }

    public String code() {
        return code;
    }

    public String detail() {
        return detail;
    }

    public boolean replayed() {
        return replayed;
    }
}
