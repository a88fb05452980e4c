// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

/**
 * The place of a request in a session.
 *
 * @param firstOutstanding the first number whose answer was not there when this one was taken
 */
record Numbering(String session, long number, long firstOutstanding) {

    static final String SESSION = "Semel-Session";
    static final String REQUEST = "Semel-Request";
    static final String FIRST_OUTSTANDING = "Semel-First-Outstanding";

    /** What stands for it in results, events and journals. */
    String key() {
        return session + "/" + number;
    }
}
