// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

/** The header names that this door brings along. */
public final class HeaderNames {

    static final String KEY = "Idempotency-Key";
    public static final String REPLAYED = "Idempotent-Replayed";
    public static final String LIFETIME = "Idempotency-Key-Lifetime";
    public static final String SESSION = "Semel-Session";
    public static final String REQUEST = "Semel-Request";
    public static final String FIRST_OUTSTANDING = "Semel-First-Outstanding";

    private HeaderNames() {}
}
