// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.session;

import io.semel.Fingerprint;
import io.semel.session.Session;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a plain store knows of one session. */
final class Room {

    final Session session;
    final TreeMap<Long, Row> rows = new TreeMap<>();
    long mark = 1;
    long lastDone;
    long fences;
    long until;
    boolean expired;

    Room(Session session) {
        this.session = session;
    }

    /** What it knows of one number. */
    static final class Row {

        final Fingerprint print;
        String holder;
        long fence;
        long until;
        boolean abandoned;
        byte @Nullable [] result;

        Row(Fingerprint print, String holder, long fence) {
            this.print = print;
            this.holder = holder;
            this.fence = fence;
        }
    }
}
