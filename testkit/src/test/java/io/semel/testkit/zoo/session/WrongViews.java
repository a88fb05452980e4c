// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.session;

import io.semel.session.SessionKey;
import io.semel.session.SessionView;
import io.semel.testkit.zoo.Breaks;
import io.semel.testkit.zoo.session.Room.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Wrong about what operators see. */
final class WrongViews {

    @Breaks("N3")
    static class LookingKeepsAlive extends PlainSessions {
        @Override
        SessionView view(Room room) {
            believe(room, room.session.lease());
            return super.view(room);
        }
    }

    @Breaks("N3")
    static class ShowsTheDead extends PlainSessions {
        @Override
        boolean isShown(Room room) {
            return true;
        }
    }

    @Breaks("N6")
    static class ShowsTheSilentAsRunning extends PlainSessions {
        @Override
        SessionView.Request request(long number, Row row) {
            SessionView.Request right = super.request(number, row);
            boolean silent = right.state() == SessionView.State.LAPSED;
            return silent
                    ? new SessionView.Request(number, SessionView.State.RUNNING, row.fence, right.remaining())
                    : right;
        }
    }

    @Breaks("N6")
    static class ShowsTheOldMark extends PlainSessions {
        @Override
        SessionView view(Room room) {
            SessionView right = super.view(room);
            return new SessionView(right.session(), 1, right.remaining(), right.requests());
        }
    }

    @Breaks("N10")
    static class ShowsTheClosed extends PlainSessions {
        private final List<Room> closed = new ArrayList<>();

        @Override
        boolean leave(Room room) {
            closed.add(room);
            return super.leave(room);
        }

        @Override
        public synchronized Optional<SessionView> look(SessionKey key) {
            return closed.stream()
                    .filter(room -> room.session.key().equals(key))
                    .findAny()
                    .map(this::view)
                    .or(() -> super.look(key));
        }
    }

    @Breaks("N2")
    static class ListsAllScopes extends PlainSessions {
        @Override
        public synchronized List<SessionView> list(String scope, int limit) {
            return rooms.values().stream()
                    .filter(this::isShown)
                    .limit(limit)
                    .map(this::view)
                    .toList();
        }
    }

    @Breaks("N2")
    static class ListsWithoutBound extends PlainSessions {
        @Override
        public synchronized List<SessionView> list(String scope, int limit) {
            return super.list(scope, Integer.MAX_VALUE);
        }
    }

    private WrongViews() {}
}
