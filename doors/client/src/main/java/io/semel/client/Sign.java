// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

/** What the end of one attempt says about whether the request was carried out. */
enum Sign {
    /** No connection came about, so nothing left this machine. */
    NOT_SENT,
    /** The service says that this attempt was not run. */
    NOT_RUN,
    /** An answer about the moment and not about the request, such as 401 or 429; it is silent about earlier attempts. */
    ASIDE,
    /** It may have been run, or may still be. */
    MAYBE,
    /** It was run, but the answer cannot be had. */
    CARRIED_OUT,
    /** The service's own answer. */
    ANSWER
}
