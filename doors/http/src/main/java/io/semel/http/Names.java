// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

/** The header names that this door brings along. */
final class Names {

    static final String KEY = "Idempotency-Key";
    static final String REPLAYED = "Idempotent-Replayed";
    static final String LIFETIME = "Idempotency-Key-Lifetime";
    static final String SESSION = "Semel-Session";
    static final String REQUEST = "Semel-Request";
    static final String FIRST_OUTSTANDING = "Semel-First-Outstanding";

    private Names() {}
}
