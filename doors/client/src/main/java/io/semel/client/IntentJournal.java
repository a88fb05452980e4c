// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.io.IOException;
import java.util.List;

/** A journal of the requests that a client is about to send, so that they can be sent again, under the same keys, after a crash. */
public interface IntentJournal {

    /** Writes the intent down; it has to survive a crash from the moment that this returns. Throwing keeps it from being sent. */
    void begin(Intent intent) throws IOException;

    /** Strikes it out: its end is known. Nothing happens if there is none of that key. */
    void done(String key) throws IOException;

    /** The intents that are not struck out, the oldest first. */
    List<Intent> unfinished() throws IOException;
}
