// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.semel.Event;
import io.semel.Key;
import io.semel.Listener;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last events of this process, for the story of one key; replays of busy keys push older events out. */
final class Recent implements Listener {

    private final int most;
    private final Deque<Seen> events = new ArrayDeque<>();

    Recent(int most) {
        this.most = most;
    }

    @Override
    public synchronized void on(Event event) {
        if (events.size() == most) {
            events.removeFirst();
        }
        events.addLast(new Seen(Instant.now(), event));
    }

    synchronized List<Seen> of(Key key) {
        return events.stream().filter(seen -> seen.event.key().equals(key)).toList();
    }

    /** An event, and when it was seen here. */
    record Seen(Instant at, Event event) {}
}
