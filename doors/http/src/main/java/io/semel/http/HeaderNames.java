// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

/** The header names of the HTTP profile. */
public final class HeaderNames {

    /** The key of a request, unless the rules name other headers. */
    public static final String KEY = "Idempotency-Key";

    /** On an answer that was given before, with the value {@code true}. */
    public static final String REPLAYED = "Idempotent-Replayed";

    /** The time for which an answer is replayed, in seconds. */
    public static final String LIFETIME = "Idempotency-Key-Lifetime";

    /** The session of a request that has a number instead of a key. */
    public static final String SESSION = "Semel-Session";

    /** The number of a request in its session. */
    public static final String REQUEST = "Semel-Request";

    /** The first number of the session whose answer the client still waits for. */
    public static final String FIRST_OUTSTANDING = "Semel-First-Outstanding";

    private HeaderNames() {}
}
