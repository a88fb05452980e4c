// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement.Complete;
import io.semel.store.Slot;
import java.time.Duration;
import java.util.Optional;

/** Wrong about what an operator sees. */
final class Lookers implements Zoo {

    @Breaks("S1")
    static class LooksByClaiming extends InspectableStore {
        @Override
        public Optional<Slot> look(Key key) {
            synchronized (backend) {
                Optional<Slot> slot = super.look(key);
                if (slot.isEmpty()) {
                    open(at(key), Call.of(key, Fingerprint.none()), "whoever looks", Duration.ofMinutes(1));
                }
                return slot;
            }
        }
    }

    @Breaks("S2")
    static class LooksAndRenews extends InspectableStore {
        @Override
        public Optional<Slot> look(Key key) {
            synchronized (backend) {
                Row row = find(at(key));
                if (row != null && !row.settled && !isLapsed(row)) {
                    renew(row, Duration.ofMinutes(20));
                }
                return super.look(key);
            }
        }
    }

    @Breaks("S3")
    static class ShowsLapsedSlotsAsHeld extends InspectableStore {
        @Override
        Slot.State state(Row row) {
            return row.settled ? super.state(row) : Slot.State.HELD;
        }
    }

    @Breaks("S3")
    static class CountsOneAttempt extends InspectableStore {
        @Override
        Slot show(Row row) {
            Row shown = row.clone();
            shown.attempts = 1;
            return super.show(shown);
        }
    }

    @Breaks("S4")
    static class CountsAttemptsForEver extends InspectableStore {
        @Override
        Claim granted(Row row) {
            backend.extras.merge(row.key, 1L, Long::sum);
            return super.granted(row);
        }

        @Override
        Slot show(Row row) {
            Row shown = row.clone();
            shown.attempts = Math.toIntExact(backend.extras.get(row.key));
            return super.show(shown);
        }
    }

    @Breaks("S2")
    static class ShowsHowOldTheLeaseIsNot extends InspectableStore {
        @Override
        Slot show(Row row) {
            Row shown = row.clone();
            shown.since = nanos();
            return super.show(shown);
        }
    }

    @Breaks("S5")
    static class ShowsTheAgeOfTheClaim extends InspectableStore {
        @Override
        void complete(Row row, Complete complete) {
            long claimed = row.since;
            super.complete(row, complete);
            row.since = claimed;
        }
    }

    @Breaks("S5")
    static class ShowsUnknownOutcomesAsSettled extends InspectableStore {
        @Override
        Slot.State state(Row row) {
            Slot.State state = super.state(row);
            return state == Slot.State.UNKNOWN ? Slot.State.SETTLED : state;
        }
    }

    @Breaks("S6")
    static class ShowsWhatIsGoneAsSettled extends InspectableStore {
        @Override
        Slot.State state(Row row) {
            Slot.State state = super.state(row);
            return state == Slot.State.GONE ? Slot.State.SETTLED : state;
        }
    }

    @Breaks("S5")
    static class ShowsItsOwnArray extends InspectableStore {
        @Override
        Slot show(Row row) {
            Slot slot = super.show(row);
            byte[] own = slot.result() == null ? null : row.result;
            return new Slot(
                    slot.key(),
                    slot.fingerprint(),
                    slot.state(),
                    slot.fence(),
                    slot.attempts(),
                    slot.holder(),
                    slot.age(),
                    slot.remaining(),
                    own);
        }
    }
}
