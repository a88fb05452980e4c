// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.store.Claim;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Wrong about slots that were released. */
final class Releasers implements Zoo {

    @Breaks("S4")
    static class LeavesReleasedSlotsLapsed extends PlainStore {
        @Override
        void release(Row row) {
            renew(row, Duration.ZERO);
        }
    }

    @Breaks("S4")
    static class CallsReleasedSlotsAbandoned extends PlainStore {
        @Override
        void release(Row row) {
            backend.extras.put(row.key, 1L);
            super.release(row);
        }

        @Override
        Claim open(Object at, Call call, String holder, Duration lease) {
            Claim.Granted granted = (Claim.Granted) super.open(at, call, holder, lease);
            return new Claim.Granted(granted.fence(), backend.extras.containsKey(call.key()));
        }
    }

    @Breaks("S4")
    static class ReleasesOnlyWithinTheLease extends PlainStore {
        @Override
        void release(Row row) {
            if (!isLapsed(row)) {
                super.release(row);
            }
        }
    }

    @Breaks("S4")
    static class BindsReleasedKeysToTheirFingerprint extends PlainStore {
        @Override
        void release(Row row) {
            backend.extras.put(row.key, row.fingerprint.low());
            super.release(row);
        }

        @Override
        Claim open(Object at, Call call, String holder, Duration lease) {
            Long bound = backend.extras.get(call.key());
            boolean free = bound == null || bound == call.fingerprint().low();
            return free ? super.open(at, call, holder, lease) : new Claim.Held(call.fingerprint(), lease);
        }
    }

    /** What one process saw held stays held for it. */
    @Breaks("S4")
    static class CachesWhatItSawHeld extends PlainStore {
        private final Set<Key> seen = new HashSet<>();

        @Override
        Claim refuse(Row row, Call call) {
            seen.add(row.key);
            return super.refuse(row, call);
        }

        @Override
        public Optional<Claim> peek(Key key) {
            return seen.contains(key)
                    ? Optional.of(new Claim.Held(Fingerprint.none(), Duration.ofMinutes(1)))
                    : super.peek(key);
        }
    }

    @Breaks("S4")
    static class LetsReleasedHoldersComplete extends PlainStore {
        @Override
        void release(Row row) {
            backend.extras.put(row.holder, 1L);
            super.release(row);
        }

        @Override
        boolean isHolder(Row row, String holder) {
            return super.isHolder(row, holder) || backend.extras.containsKey(holder);
        }
    }

    @Breaks("S4")
    static class ShowsReleasedSlots extends PlainStore {
        @Override
        void release(Row row) {
            backend.extras.put(row.key, 1L);
            super.release(row);
        }

        @Override
        public Optional<Claim> peek(Key key) {
            Optional<Claim> told = super.peek(key);
            boolean released = told.isEmpty() && backend.extras.containsKey(key);
            return released ? Optional.of(new Claim.Held(Fingerprint.none(), Duration.ZERO)) : told;
        }
    }
}
