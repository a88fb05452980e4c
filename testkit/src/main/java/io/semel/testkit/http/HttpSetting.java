// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

/** The rules of a server under test; each but the first differs from {@link #STANDARD} in one thing. */
public enum HttpSetting {

    /**
     * Lenient keys, which are optional, on POST and PATCH. The header {@code X-User} names the caller. Bodies are compared byte by
     * byte. Answers of 500 and above are forgotten, abandoned calls are refused as unknown, and duplicates do not wait. Answers are
     * kept for 24 hours and keys are remembered for 24 more; a lease is 30 seconds.
     */
    STANDARD,
    /** Keys are strings of RFC 9651: the dialect {@code ietf}. */
    QUOTED_KEYS,
    /** Keys have no quotes: the dialect {@code raw}. */
    BARE_KEYS,
    /** A request without a key is refused. */
    KEYS_REQUIRED,
    /** Keys are ignored. */
    KEYS_IGNORED,
    /** A request with a key is refused. */
    KEYS_REJECTED,
    /** DELETE takes part. */
    DELETES,
    /** JSON bodies are compared by their meaning. */
    JSON_BY_MEANING,
    /** Multipart bodies are compared by their parts. */
    FORMS_BY_PARTS,
    /** Answers of 500 and above are recorded. */
    ERRORS_RECORDED,
    /** Calls that were answered with 500 or above are held as unknown. */
    ERRORS_HELD,
    /** Abandoned calls run again. */
    RERUN,
    /** Of abandoned calls a hook says that they happened and were answered with 201 and the body {@code found}. */
    FOUND_DONE,
    /** Of abandoned calls a hook says that they did not happen. */
    FOUND_NOT_DONE,
    /** Duplicates wait for three seconds. */
    WAITING,
    /** {@code Set-Cookie} and {@code X-Foo} are stored and replayed. */
    MORE_HEADERS,
    /** Answers above 1,000 bytes are not kept. */
    SMALL_ANSWERS,
    /** Requests run unprotected while the store cannot be reached. */
    FAIL_OPEN,
    /** {@code Repeatability-First-Sent} says when a request was first sent. */
    FIRST_SENT
}
