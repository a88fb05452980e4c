// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Stores that answer claims wrongly, in one way each, for the simulator to find out. */
final class WrongClaims {

    /** Every second claim on a held slot is granted as well. */
    static class GrantsTwice extends Bent {

        private long fence = 1L << 40;

        GrantsTwice(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            return claim instanceof Claim.Held && ++fence % 2 == 0 ? new Claim.Granted(fence, false) : claim;
        }
    }

    /** Does not say that an earlier holder fell silent. */
    static class HidesAbandonment extends Bent {

        HidesAbandonment(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            return claim instanceof Claim.Granted granted ? new Claim.Granted(granted.fence(), false) : claim;
        }
    }

    /** All fences are equal. */
    static class StandingFence extends Bent {

        StandingFence(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            return claim instanceof Claim.Granted granted ? new Claim.Granted(1, granted.abandoned()) : claim;
        }

        @Override
        long straightFence(Key key, String holder, long told) {
            return lastGranted(key, holder, told);
        }
    }

    /** A Release forgets the fence. */
    static class FallingFence extends Bent {

        private final Map<Key, Long> fences = new HashMap<>();

        FallingFence(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            boolean own = holder.equals(holders.get(call.key()));
            Claim claim = super.claim(call, holder, lease);
            return claim instanceof Claim.Granted granted
                    ? new Claim.Granted(fences.merge(call.key(), own ? 0L : 1L, Long::sum), granted.abandoned())
                    : claim;
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            boolean applied = super.settle(key, holder, fence, settlement);
            if (applied && settlement instanceof Settlement.Release) {
                fences.remove(key);
            }
            return applied;
        }

        @Override
        long straightFence(Key key, String holder, long told) {
            return lastGranted(key, holder, told);
        }
    }

    /** Changes the last byte of what it was given. */
    static class ManglesResults extends Bent {

        ManglesResults(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            if (claim instanceof Claim.Settled settled && settled.result() != null) {
                byte[] mangled = settled.result().clone();
                mangled[mangled.length - 1] ^= 1;
                return new Claim.Settled(settled.fingerprint(), mangled, settled.remaining());
            }
            return claim;
        }
    }

    /** Believes a holder for a quarter of its lease. */
    static class ShortensLeases extends Bent {

        ShortensLeases(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            return super.claim(call, holder, lease.dividedBy(4));
        }
    }

    /** Believes a silent holder for good. */
    static class NeverLapses extends Bent {

        NeverLapses(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            return super.claim(call, holder, Duration.ofDays(365));
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return super.settle(
                    key,
                    holder,
                    fence,
                    settlement instanceof Settlement.Renew ? new Settlement.Renew(Duration.ofDays(365)) : settlement);
        }
    }

    /** Compares keys only. */
    static class IgnoresFingerprints extends Bent {

        private final Map<Key, Fingerprint> first = new HashMap<>();

        IgnoresFingerprints(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Fingerprint used = first.computeIfAbsent(call.key(), unknown -> call.fingerprint());
            Claim claim = super.claim(Call.of(call.key(), used), holder, lease);
            if (claim instanceof Claim.Settled settled) {
                return new Claim.Settled(call.fingerprint(), settled.result(), settled.remaining());
            }
            return claim instanceof Claim.Held held ? new Claim.Held(call.fingerprint(), held.remaining()) : claim;
        }
    }

    /** Forgets a slot when its lease runs out, as a lock with a time to live does. */
    static class LocksWithTimeToLive extends Bent {

        LocksWithTimeToLive(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            boolean lapsed = straight.peek(call.key()).orElse(null) instanceof Claim.Held held
                    && held.remaining().isZero();
            if (lapsed && !holder.equals(holders.get(call.key()))) {
                settleForAnyone(call.key(), new Settlement.Release());
            }
            return super.claim(call, holder, lease);
        }
    }

    /** Tells even the holder that somebody else has the slot. */
    static class DoesNotKnowItsHolders extends Bent {

        private final Set<String> seen = new HashSet<>();

        DoesNotKnowItsHolders(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = seen.add(holder) ? null : straight.peek(call.key()).orElse(null);
            return claim instanceof Claim.Held held ? held : super.claim(call, holder, lease);
        }
    }

    private WrongClaims() {}
}
