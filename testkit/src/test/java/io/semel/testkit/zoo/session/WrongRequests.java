// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.session;

import io.semel.Call;
import io.semel.Key;
import io.semel.Outcome.Reason;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.zoo.Breaks;
import io.semel.testkit.zoo.session.Room.Row;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Wrong about the numbers within a session. */
final class WrongRequests {

    @Breaks("N4")
    static class GrantsToEverybody extends PlainSessions {
        @Override
        Claim tell(Room room, Row row) {
            return row.result == null ? new Claim.Granted(row.fence, false) : super.tell(room, row);
        }
    }

    @Breaks("N4")
    static class RefusesItsOwnHolder extends PlainSessions {
        @Override
        Claim decide(Room room, long number, Call call, String holder, Duration lease) {
            Row row = room.rows.get(number);
            return row == null || isLapsed(row) ? super.decide(room, number, call, holder, lease) : tell(room, row);
        }
    }

    @Breaks("N4")
    static class NeverTakesOver extends PlainSessions {
        @Override
        Claim takeOver(Room room, long number, Row row, String holder, Duration lease) {
            return tell(room, row);
        }
    }

    @Breaks("N4")
    static class TakesOverWithTheSameFence extends PlainSessions {
        @Override
        Claim takeOver(Room room, long number, Row row, String holder, Duration lease) {
            room.fences--;
            return super.takeOver(room, number, row, holder, lease);
        }
    }

    @Breaks("N4")
    static class TakesOverForAnotherRequest extends PlainSessions {
        @Override
        Claim decide(Room room, long number, Call call, String holder, Duration lease) {
            Row row = room.rows.get(number);
            return row != null && isLapsed(row)
                    ? takeOver(room, number, row, holder, lease)
                    : super.decide(room, number, call, holder, lease);
        }
    }

    @Breaks("N4")
    static class TakesAReleaseForAnAnswer extends PlainSessions {
        @Override
        void release(Room room, long number) {
            room.rows.get(number).result = new byte[0];
        }
    }

    @Breaks("N4")
    static class StartsFencesAgain extends PlainSessions {
        @Override
        void release(Room room, long number) {
            super.release(room, number);
            room.fences = 0;
        }
    }

    @Breaks("N4")
    static class DoesNotRenew extends PlainSessions {
        @Override
        void renew(Room room, Row row, Duration lease) {
            believe(room, lease);
        }
    }

    @Breaks("N4")
    static class SettlesForAnyHolder extends PlainSessions {
        @Override
        boolean isOf(Row row, String holder, long fence) {
            return row.result == null && row.fence == fence;
        }
    }

    @Breaks("N4")
    static class SettlesForAnyFence extends PlainSessions {
        @Override
        boolean isOf(Row row, String holder, long fence) {
            return row.result == null && row.holder.equals(holder);
        }
    }

    @Breaks("N4")
    static class SettlesTwice extends PlainSessions {
        @Override
        boolean isOf(Row row, String holder, long fence) {
            return row.holder.equals(holder) && row.fence == fence;
        }
    }

    @Breaks("N4")
    static class RefusesTheLate extends PlainSessions {
        @Override
        boolean isOf(Row row, String holder, long fence) {
            return super.isOf(row, holder, fence) && !isLapsed(row);
        }
    }

    @Breaks("N4")
    static class SeesNothing extends PlainSessions {
        @Override
        public synchronized Optional<Claim> peek(Key key) {
            return Optional.empty();
        }
    }

    @Breaks("N4")
    static class KeepsAliveByLooking extends PlainSessions {
        @Override
        public synchronized Optional<Claim> peek(Key key) {
            Optional<Claim> seen = super.peek(key);
            rooms.values().stream().filter(room -> !room.expired).forEach(room -> believe(room, room.session.lease()));
            return seen;
        }
    }

    @Breaks("N4")
    static class TakesAnyLease extends PlainSessions {
        @Override
        public synchronized Claim claim(Call call, String holder, Duration lease) {
            return super.claim(call, holder.isEmpty() ? "nobody" : holder, lease.isZero() ? Duration.ofDays(1) : lease);
        }
    }

    @Breaks("N5")
    static class KeepsTheLastNumberOnly extends PlainSessions {
        @Override
        Claim decide(Room room, long number, Call call, String holder, Duration lease) {
            if (number < room.lastDone) {
                return tell(room, room.rows.get(room.lastDone));
            }
            return super.decide(room, number, call, holder, lease);
        }
    }

    @Breaks("N5")
    static class RunsAgainWhatItEvicted extends PlainSessions {
        @Override
        void complete(Room room, long number, Row row, Settlement.Complete done) {
            super.complete(room, number, row, done);
            room.rows.headMap(number).values().removeIf(other -> other.result != null);
        }
    }

    @Breaks("N5")
    static class ManglesAnswers extends PlainSessions {
        @Override
        void complete(Room room, long number, Row row, Settlement.Complete done) {
            super.complete(room, number, row, done);
            byte[] text = new String(done.result(), java.nio.charset.StandardCharsets.UTF_8)
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8);
            row.result = text;
        }
    }

    @Breaks("N5")
    static class ForgetsByTime extends PlainSessions {
        @Override
        void complete(Room room, long number, Row row, Settlement.Complete done) {
            super.complete(room, number, row, done);
            row.until = nanos() + done.retention().retention().toNanos();
        }

        @Override
        Claim decide(Room room, long number, Call call, String holder, Duration lease) {
            Row row = room.rows.get(number);
            if (row != null && row.result != null && row.until <= nanos()) {
                room.rows.remove(number);
            }
            return super.decide(room, number, call, holder, lease);
        }
    }

    @Breaks("N6")
    static class RunsTheStale extends PlainSessions {
        @Override
        @Nullable
        Reason refuse(Room room, long number) {
            Reason reason = super.refuse(room, number);
            return reason == Reason.STALE ? null : reason;
        }
    }

    @Breaks("N6")
    static class MovesTheMarkBack extends PlainSessions {
        @Override
        void mark(Room room, long firstOutstanding) {
            room.mark = firstOutstanding;
            drop(room);
        }
    }

    @Breaks("N6")
    static class IgnoresTheMark extends PlainSessions {
        @Override
        void mark(Room room, long firstOutstanding) {}
    }

    @Breaks("N6")
    static class SaysSettledOfTheStale extends PlainSessions {
        @Override
        Claim claim(Room room, long number, Call call, String holder, Duration lease) {
            Claim claim = super.claim(room, number, call, holder, lease);
            return claim instanceof Claim.Refused refused && refused.reason() == Reason.STALE
                    ? new Claim.Settled(call.fingerprint(), null, Duration.ZERO)
                    : claim;
        }
    }

    @Breaks("N6")
    static class MovesTheMarkOnlyWhenItGrants extends PlainSessions {
        @Override
        Claim claim(Room room, long number, Call call, String holder, Duration lease) {
            long before = room.mark;
            Claim claim = super.claim(room, number, call, holder, lease);
            if (!(claim instanceof Claim.Granted)) {
                room.mark = before;
            }
            return claim;
        }
    }

    @Breaks("N6")
    static class MovesNoMarkWhenKeptAlive extends PlainSessions {
        @Override
        public synchronized State keepAlive(SessionKey key, long firstOutstanding) {
            return super.keepAlive(key, 1);
        }
    }

    @Breaks("N6")
    static class KeepsWhatWasReceived extends PlainSessions {
        @Override
        void drop(Room room) {}
    }

    @Breaks("N6")
    static class DropsWhatRuns extends PlainSessions {
        @Override
        void drop(Room room) {
            room.rows.headMap(room.mark).clear();
        }
    }

    @Breaks("N6")
    static class ChecksTheMarkTooEarly extends PlainSessions {
        @Override
        Claim claim(Room room, long number, Call call, String holder, Duration lease) {
            Reason reason = refuse(room, number);
            believe(room, room.session.lease());
            mark(room, call.firstOutstanding());
            return reason == null ? decide(room, number, call, holder, lease) : new Claim.Refused(reason);
        }

        @Override
        void drop(Room room) {
            super.drop(room);
            room.rows.headMap(room.mark - 1).clear();
        }

        @Override
        @Nullable
        Reason refuse(Room room, long number) {
            return number < room.mark - 1 ? Reason.STALE : null;
        }
    }

    @Breaks("N7")
    static class HasNoWindow extends PlainSessions {
        @Override
        @Nullable
        Reason refuse(Room room, long number) {
            Reason reason = super.refuse(room, number);
            return reason == Reason.WINDOW_FULL ? null : reason;
        }
    }

    @Breaks("N7")
    static class EvictsWhatDoesNotFit extends PlainSessions {
        @Override
        @Nullable
        Reason refuse(Room room, long number) {
            room.rows.headMap(number - room.session.window() + 1).clear();
            Reason reason = super.refuse(room, number);
            return reason == Reason.WINDOW_FULL ? null : reason;
        }
    }

    @Breaks("N7")
    static class HasAWindowThatStandsStill extends PlainSessions {
        @Override
        @Nullable
        Reason refuse(Room room, long number) {
            Reason reason = super.refuse(room, number);
            return reason == null && number > room.session.window() ? Reason.WINDOW_FULL : reason;
        }
    }

    @Breaks("N8")
    static class LetsNumbersSkip extends PlainSessions {
        @Override
        @Nullable
        Reason refuse(Room room, long number) {
            Reason reason = super.refuse(room, number);
            return reason == Reason.OUT_OF_ORDER ? null : reason;
        }
    }

    @Breaks("N8")
    static class TakesWhatRunsForDone extends PlainSessions {
        @Override
        Claim grant(Room room, long number, Row row, Duration lease) {
            room.lastDone = Math.max(room.lastDone, number);
            return super.grant(room, number, row, lease);
        }
    }

    @Breaks("N8")
    static class StartsAnywhere extends PlainSessions {
        @Override
        long next(Room room) {
            return room.lastDone == 0 ? 2 : super.next(room);
        }
    }

    @Breaks("N8")
    static class WaitsForWhatNobodyWaitsFor extends PlainSessions {
        @Override
        long next(Room room) {
            return room.lastDone + 1;
        }
    }

    @Breaks("N8")
    static class DemandsOrderOfAll extends PlainSessions {
        @Override
        @Nullable
        Reason refuse(Room room, long number) {
            Reason reason = super.refuse(room, number);
            return reason == null && !room.rows.containsKey(number) && number != next(room)
                    ? Reason.OUT_OF_ORDER
                    : reason;
        }
    }

    @Breaks("N8")
    static class ForgetsTheOrder extends PlainSessions {
        @Override
        void enter(Session session) {
            super.enter(session.mode(Session.Mode.SET));
        }
    }

    private WrongRequests() {}
}
