// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.activity;

import io.semel.Event;
import io.semel.Key;
import io.semel.Listener;
import io.semel.session.RequestKey;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The last events of this process, for the history of one key; replays push out only replays. */
public final class RecentEvents implements Listener {

    private final int most;
    private final Deque<Seen> replays = new ArrayDeque<>();
    private final Deque<Seen> others = new ArrayDeque<>();

    /** @param most of each kind */
    public RecentEvents(int most) {
        this.most = most;
    }

    @Override
    public synchronized void on(Event event) {
        Deque<Seen> events = event instanceof Event.Replayed ? replays : others;
        if (events.size() == most) {
            events.removeFirst();
        }
        events.addLast(new Seen(Instant.now(), event));
    }

    public List<Seen> of(Key key) {
        return those(key::equals);
    }

    /** The events of all sessions with that id, of any caller. */
    public List<Seen> under(String session) {
        return those(key -> RequestKey.of(key).session().id().equals(session));
    }

    private synchronized List<Seen> those(Predicate<Key> wanted) {
        return Stream.concat(others.stream(), replays.stream())
                .filter(seen -> wanted.test(seen.event.key()))
                .sorted(Comparator.comparing(Seen::at))
                .toList();
    }

    /** An event, and when it was seen here. */
    public record Seen(Instant at, Event event) {}
}
