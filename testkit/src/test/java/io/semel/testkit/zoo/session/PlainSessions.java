// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.session;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.Outcome.Reason;
import io.semel.session.InspectableSessions;
import io.semel.session.RequestKey;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionState;
import io.semel.session.SessionView;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.ManualTime;
import io.semel.testkit.zoo.session.Room.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A right store of sessions in small steps, so that a wrong one can be made by getting one of them wrong. */
class PlainSessions implements InspectableSessions {

    final Map<SessionKey, Room> rooms = new HashMap<>();
    ManualTime time = new ManualTime();
    int most = Integer.MAX_VALUE;

    @Override
    public Level level() {
        return Level.BEST_EFFORT;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos());
    }

    @Override
    public synchronized Registration register(Session session, int mostOfScope) {
        expire();
        Room known = rooms.get(session.key());
        if (known != null) {
            return known.expired ? Registration.EXPIRED : Registration.LIVE;
        }
        if (isFull()) {
            return Registration.STORE_FULL;
        }
        if (live(session.key().scope()) >= mostOfScope) {
            return Registration.SCOPE_FULL;
        }
        enter(session);
        return Registration.LIVE;
    }

    long live(String scope) {
        return rooms.values().stream()
                .filter(room -> !room.expired && room.session.key().scope().equals(scope))
                .count();
    }

    boolean isFull() {
        return live() >= most;
    }

    void enter(Session session) {
        Room room = new Room(session);
        room.until = nanos() + session.lease().toNanos();
        rooms.put(session.key(), room);
    }

    long live() {
        return rooms.values().stream().filter(room -> !room.expired).count();
    }

    @Override
    public synchronized State keepAlive(SessionKey key, long firstOutstanding) {
        expire();
        Room room = find(key);
        if (room == null) {
            return State.UNKNOWN;
        }
        if (room.expired) {
            return State.EXPIRED;
        }
        believe(room, room.session.lease());
        mark(room, firstOutstanding);
        return State.LIVE;
    }

    @Nullable
    Room find(SessionKey key) {
        return rooms.get(key);
    }

    @Override
    public synchronized boolean close(SessionKey key) {
        expire();
        Room room = find(key);
        return room != null && !room.expired && leave(room);
    }

    boolean leave(Room room) {
        return rooms.remove(room.session.key(), room);
    }

    @Override
    public synchronized Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        expire();
        RequestKey asked = RequestKey.of(call.key());
        Room room = find(asked.session());
        if (room == null) {
            return new Claim.Refused(Reason.SESSION_UNKNOWN);
        }
        if (room.expired) {
            return new Claim.Refused(Reason.SESSION_EXPIRED);
        }
        return claim(room, asked.number(), call, holder, lease);
    }

    Claim claim(Room room, long number, Call call, String holder, Duration lease) {
        believe(room, room.session.lease());
        mark(room, call.firstOutstanding());
        Reason reason = refuse(room, number);
        return reason != null ? new Claim.Refused(reason) : decide(room, number, call, holder, lease);
    }

    void mark(Room room, long firstOutstanding) {
        if (firstOutstanding > room.mark) {
            room.mark = firstOutstanding;
            drop(room);
        }
    }

    void drop(Room room) {
        room.rows.headMap(room.mark).values().removeIf(row -> row.result != null || isLapsed(row));
    }

    @Nullable
    Reason refuse(Room room, long number) {
        if (number < room.mark) {
            return Reason.STALE;
        }
        if (number >= room.mark + room.session.window()) {
            return Reason.WINDOW_FULL;
        }
        boolean ordered =
                room.session.mode() == Session.Mode.SET || room.rows.containsKey(number) || number == next(room);
        return ordered ? null : Reason.OUT_OF_ORDER;
    }

    long next(Room room) {
        return Math.max(room.mark, room.lastDone + 1);
    }

    Claim decide(Room room, long number, Call call, String holder, Duration lease) {
        Row row = room.rows.get(number);
        if (row == null) {
            return grant(room, number, new Row(call.fingerprint(), holder, ++room.fences), lease);
        }
        if (row.result == null && row.holder.equals(holder)) {
            return grant(room, number, row, lease);
        }
        return isLapsed(row) && row.print.equals(call.fingerprint())
                ? takeOver(room, number, row, holder, lease)
                : tell(room, row);
    }

    Claim takeOver(Room room, long number, Row row, String holder, Duration lease) {
        Row next = new Row(row.print, holder, ++room.fences);
        next.abandoned = true;
        return grant(room, number, next, lease);
    }

    Claim grant(Room room, long number, Row row, Duration lease) {
        row.until = nanos() + lease.toNanos();
        room.rows.put(number, row);
        believe(room, lease);
        return new Claim.Granted(row.fence, row.abandoned);
    }

    boolean isLapsed(Row row) {
        return row.result == null && row.until <= nanos();
    }

    Claim tell(Room room, Row row) {
        return row.result == null
                ? new Claim.Held(row.print, Duration.ofNanos(Math.max(0, row.until - nanos())))
                : new Claim.Settled(row.print, row.result, Duration.ofNanos(room.until - nanos()));
    }

    @Override
    public synchronized boolean settle(Key key, String holder, long fence, Settlement settlement) {
        expire();
        RequestKey asked = RequestKey.of(key);
        Room room = find(asked.session());
        Row row = room == null || room.expired ? null : room.rows.get(asked.number());
        if (room == null || row == null || !isOf(row, holder, fence)) {
            return false;
        }
        settle(room, asked.number(), row, settlement);
        return true;
    }

    boolean isOf(Row row, String holder, long fence) {
        return row.result == null && row.holder.equals(holder) && row.fence == fence;
    }

    void settle(Room room, long number, Row row, Settlement settlement) {
        if (settlement instanceof Settlement.Renew more) {
            renew(room, row, more.lease());
        } else if (settlement instanceof Settlement.Complete done) {
            complete(room, number, row, done);
        } else {
            release(room, number);
        }
    }

    void renew(Room room, Row row, Duration lease) {
        row.until = nanos() + lease.toNanos();
        believe(room, lease);
    }

    void complete(Room room, long number, Row row, Settlement.Complete done) {
        row.result = done.result();
        room.lastDone = Math.max(room.lastDone, number);
        believe(room, room.session.lease());
        drop(room);
    }

    void release(Room room, long number) {
        room.rows.remove(number);
        believe(room, room.session.lease());
    }

    @Override
    public synchronized Optional<Claim> peek(Key key) {
        expire();
        RequestKey asked = RequestKey.of(key);
        Room room = find(asked.session());
        Row row = room == null ? null : room.rows.get(asked.number());
        return room == null || row == null ? Optional.empty() : Optional.of(tell(room, row));
    }

    void believe(Room room, Duration lease) {
        room.until = Math.max(room.until, nanos() + lease.toNanos());
    }

    void expire() {
        rooms.values().forEach(room -> {
            if (nanos() >= room.until) {
                room.expired = true;
                room.rows.clear();
            }
        });
    }

    @Override
    public synchronized int purge(int limit) {
        expire();
        List<Room> over = forgotten().stream().limit(limit).toList();
        over.forEach(room -> rooms.remove(room.session.key()));
        return over.size();
    }

    /** Those that expired long ago, and the oldest ones where they are too many. */
    List<Room> forgotten() {
        List<Room> expired = rooms.values().stream()
                .filter(room -> room.expired)
                .sorted(Comparator.comparingLong(this::rank))
                .toList();
        List<Room> over = new ArrayList<>(expired.subList(0, Math.max(0, expired.size() - most)));
        expired.stream()
                .skip(over.size())
                .filter(room -> nanos() >= remembered(room))
                .forEach(over::add);
        return over;
    }

    long rank(Room room) {
        return room.until;
    }

    long remembered(Room room) {
        return room.until + SessionState.remembrance(room.session.lease()).toNanos();
    }

    @Override
    public synchronized Counts countSessions() {
        expire();
        return new Counts(
                live(),
                rooms.values().stream().mapToLong(room -> room.rows.size()).sum(),
                rooms.size() - live());
    }

    @Override
    public synchronized Optional<SessionView> look(SessionKey key) {
        Room room = find(key);
        return Optional.ofNullable(room).filter(this::isShown).map(this::view);
    }

    boolean isShown(Room room) {
        return nanos() < room.until;
    }

    @Override
    public synchronized List<SessionView> list(String scope, int limit) {
        return rooms.values().stream()
                .filter(room -> room.session.key().scope().equals(scope) && isShown(room))
                .limit(limit)
                .map(this::view)
                .toList();
    }

    SessionView view(Room room) {
        return new SessionView(
                room.session,
                room.mark,
                Duration.ofNanos(room.until - nanos()),
                room.rows.entrySet().stream()
                        .map(each -> request(each.getKey(), each.getValue()))
                        .toList());
    }

    SessionView.Request request(long number, Row row) {
        Duration left = Duration.ofNanos(row.until - nanos());
        return SessionView.Request.of(number, row.fence, row.result != null, left);
    }

    long nanos() {
        return time.nanos();
    }
}
