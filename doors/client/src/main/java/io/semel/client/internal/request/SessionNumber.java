// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.request;

/**
 * The place of a request in a session.
 *
 * @param firstOutstanding the first number whose answer was not there when this one was taken
 */
public record SessionNumber(String session, long number, long firstOutstanding) {

    /** Its key in results, events and journals. */
    public String key() {
        return session + "/" + number;
    }
}
