// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.session;

import io.semel.Call;
import io.semel.Key;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.zoo.Breaks;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Wrong about who has a session, and for how long. */
final class WrongSessions {

    @Breaks("N1")
    static class CreatesImplicitly extends PlainSessions {
        @Override
        Room find(SessionKey key) {
            if (!rooms.containsKey(key)) {
                enter(new Session(key, Session.Mode.SET, 8, Duration.ofHours(1)));
            }
            return super.find(key);
        }
    }

    @Breaks("N1")
    static class BeginsAnewAtEveryRegistration extends PlainSessions {
        @Override
        public synchronized Registration register(Session session, int mostOfScope) {
            rooms.remove(session.key());
            return super.register(session, mostOfScope);
        }
    }

    @Breaks("N1")
    static class TakesAnyKey extends PlainSessions {
        @Override
        public synchronized Claim claim(Call call, String holder, Duration lease) {
            return call.key().id().matches(".+/[1-9][0-9]{0,17}")
                    ? super.claim(call, holder, lease)
                    : new Claim.Granted(1, false);
        }
    }

    @Breaks("N2")
    static class GoesByTheIdAlone extends PlainSessions {
        @Override
        @Nullable
        Room find(SessionKey key) {
            return rooms.values().stream()
                    .filter(room -> room.session.key().id().equals(key.id()))
                    .findAny()
                    .orElse(null);
        }
    }

    @Breaks("N2")
    static class GoesByTheScopeAlone extends PlainSessions {
        @Override
        @Nullable
        Room find(SessionKey key) {
            return rooms.values().stream()
                    .filter(room -> room.session.key().scope().equals(key.scope()))
                    .findFirst()
                    .orElse(null);
        }
    }

    @Breaks("N3")
    static class NeverExpires extends PlainSessions {
        @Override
        void expire() {}
    }

    @Breaks("N3")
    static class ExpiresByTheClockOfTheNode extends PlainSessions {
        private final long started = System.nanoTime();

        @Override
        long nanos() {
            return System.nanoTime() - started;
        }
    }

    @Breaks("N3")
    static class ForgetsThatItExpired extends PlainSessions {
        @Override
        void expire() {
            rooms.values().removeIf(room -> nanos() >= room.until);
        }
    }

    @Breaks("N3")
    static class WakesTheExpired extends PlainSessions {
        @Override
        public synchronized State keepAlive(SessionKey key, long firstOutstanding) {
            Room room = find(key);
            if (room != null) {
                room.expired = false;
                believe(room, room.session.lease());
            }
            return super.keepAlive(key, firstOutstanding);
        }
    }

    @Breaks("N3")
    static class RegistersTheExpiredAgain extends PlainSessions {
        @Override
        public synchronized Registration register(Session session, int mostOfScope) {
            expire();
            rooms.values().removeIf(room -> room.expired);
            return super.register(session, mostOfScope);
        }
    }

    @Breaks("N3")
    static class HearsOnlyWhatItGrants extends PlainSessions {
        @Override
        Claim claim(Room room, long number, Call call, String holder, Duration lease) {
            long before = room.until;
            Claim claim = super.claim(room, number, call, holder, lease);
            if (!(claim instanceof Claim.Granted)) {
                room.until = before;
            }
            return claim;
        }
    }

    @Breaks("N3")
    static class DoesNotHearKeepAlives extends PlainSessions {
        @Override
        public synchronized State keepAlive(SessionKey key, long firstOutstanding) {
            Room room = find(key);
            long before = room == null ? 0 : room.until;
            State state = super.keepAlive(key, firstOutstanding);
            if (room != null) {
                room.until = before;
            }
            return state;
        }
    }

    @Breaks("N3")
    static class ExpiresWhileARequestRuns extends PlainSessions {
        @Override
        void renew(Room room, Room.Row row, Duration lease) {
            row.until = nanos() + lease.toNanos();
        }
    }

    @Breaks("N3")
    static class LeavesNoTimeToAsk extends PlainSessions {
        @Override
        void complete(Room room, long number, Room.Row row, Settlement.Complete done) {
            long before = room.until;
            super.complete(room, number, row, done);
            room.until = before;
        }
    }

    @Breaks("N3")
    static class LeavesNoTimeToSendAgain extends PlainSessions {
        @Override
        void release(Room room, long number) {
            room.rows.remove(number);
        }
    }

    @Breaks("N3")
    static class SettlesAfterTheEnd extends PlainSessions {
        @Override
        void expire() {
            rooms.values().forEach(room -> room.expired |= nanos() >= room.until);
        }

        @Override
        public synchronized boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return true;
        }
    }

    @Breaks("N3")
    static class PurgesTheLiving extends PlainSessions {
        @Override
        public synchronized int purge(int limit) {
            int purged = rooms.size();
            rooms.clear();
            return purged;
        }
    }

    @Breaks("N3")
    static class NeverPurges extends PlainSessions {
        @Override
        public synchronized int purge(int limit) {
            return 0;
        }
    }

    @Breaks("N3")
    static class PurgesWithoutLimit extends PlainSessions {
        @Override
        public synchronized int purge(int limit) {
            return super.purge(Integer.MAX_VALUE);
        }
    }

    @Breaks("N3")
    static class RemembersAllThatExpired extends PlainSessions {
        @Override
        List<Room> forgotten() {
            return rooms.values().stream()
                    .filter(room -> nanos() - room.until >= Duration.ofDays(1).toNanos())
                    .toList();
        }
    }

    @Breaks("N3")
    static class ForgetsTheLatestFirst extends PlainSessions {
        @Override
        long rank(Room room) {
            return -room.until;
        }

        @Override
        long remembered(Room room) {
            return room.until + Duration.ofDays(1).toNanos();
        }
    }

    @Breaks("N9")
    static class GivesUpTheOldestWhenFull extends PlainSessions {
        @Override
        boolean isFull() {
            Iterator<Room> oldest = rooms.values().iterator();
            if (super.isFull() && oldest.hasNext()) {
                oldest.next();
                oldest.remove();
            }
            return false;
        }
    }

    @Breaks("N9")
    static class CountsTheDead extends PlainSessions {
        @Override
        boolean isFull() {
            return rooms.size() >= most;
        }
    }

    @Breaks("N9")
    static class HasNoBoundPerScope extends PlainSessions {
        @Override
        long live(String scope) {
            return 0;
        }
    }

    @Breaks("N9")
    static class CountsAllForEveryScope extends PlainSessions {
        @Override
        long live(String scope) {
            return live();
        }
    }

    @Breaks("N9")
    static class CountsTheDeadOfAScope extends PlainSessions {
        @Override
        long live(String scope) {
            return rooms.values().stream()
                    .filter(room -> room.session.key().scope().equals(scope))
                    .count();
        }
    }

    @Breaks("N9")
    static class AllowsAScopeOneMore extends PlainSessions {
        @Override
        long live(String scope) {
            return super.live(scope) - 1;
        }
    }

    @Breaks("N9")
    static class HasNoBound extends PlainSessions {
        @Override
        boolean isFull() {
            return false;
        }
    }

    @Breaks("N9")
    static class MiscountsRequests extends PlainSessions {
        @Override
        public synchronized Counts countSessions() {
            return new Counts(super.countSessions().sessions(), rooms.size(), 0);
        }
    }

    @Breaks("N10")
    static class ClosesNothing extends PlainSessions {
        @Override
        boolean leave(Room room) {
            return true;
        }
    }

    @Breaks("N10")
    static class ClosesAllOfAScope extends PlainSessions {
        @Override
        boolean leave(Room room) {
            return rooms.keySet()
                    .removeIf(key -> key.scope().equals(room.session.key().scope()));
        }
    }

    @Breaks("N10")
    static class CallsTheClosedExpired extends PlainSessions {
        @Override
        boolean leave(Room room) {
            room.expired = true;
            room.rows.clear();
            return true;
        }
    }

    private WrongSessions() {}
}
