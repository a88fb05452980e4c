// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

/** The header names of the HTTP profile that clients send or read. */
public final class HeaderNames {

    /** The key of a request; a service may have chosen another name. */
    public static final String KEY = "Idempotency-Key";

    /** On an answer that was given before, with the value {@code true}. */
    public static final String REPLAYED = "Idempotent-Replayed";

    /** The session of a request that has a number instead of a key. */
    public static final String SESSION = "Semel-Session";

    /** The number of a request in its session. */
    public static final String REQUEST = "Semel-Request";

    /** The first number of the session whose answer the client still waits for. */
    public static final String FIRST_OUTSTANDING = "Semel-First-Outstanding";

    private HeaderNames() {}
}
