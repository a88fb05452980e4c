// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.store.Claim;
import java.time.Duration;
import java.util.Optional;

/** Wrong about peeks. */
final class Peekers implements Zoo {

    @Breaks("S1")
    static class PeeksByClaiming extends PlainStore {
        @Override
        public Optional<Claim> peek(Key key) {
            synchronized (backend) {
                Optional<Claim> told = super.peek(key);
                if (told.isEmpty()) {
                    open(at(key), Call.of(key, Fingerprint.none()), "whoever peeks", Duration.ofMinutes(1));
                }
                return told;
            }
        }
    }

    @Breaks("S2")
    static class PeeksAndRenews extends PlainStore {
        @Override
        public Optional<Claim> peek(Key key) {
            synchronized (backend) {
                Row row = find(at(key));
                if (row != null && !row.settled && !isLapsed(row)) {
                    renew(row, Duration.ofMinutes(20));
                }
                return super.peek(key);
            }
        }
    }

    @Breaks("S3")
    static class PeeksAndFreesLapsedSlots extends PlainStore {
        @Override
        public Optional<Claim> peek(Key key) {
            synchronized (backend) {
                Optional<Claim> told = super.peek(key);
                Row row = find(at(key));
                if (row != null && !row.settled && isLapsed(row)) {
                    release(row);
                }
                return told;
            }
        }
    }

    @Breaks("S3")
    static class PeeksAtLapsedSlotsAsIfFree extends PlainStore {
        @Override
        public Optional<Claim> peek(Key key) {
            return super.peek(key)
                    .filter(told -> !(told instanceof Claim.Held held
                            && held.remaining().isZero()));
        }
    }

    @Breaks("S2")
    static class PeeksWithoutFingerprint extends PlainStore {
        @Override
        public Optional<Claim> peek(Key key) {
            return super.peek(key)
                    .map(told -> told instanceof Claim.Held held
                            ? new Claim.Held(Fingerprint.none(), held.remaining())
                            : told);
        }
    }

    @Breaks("S5")
    static class PeeksWithoutResult extends PlainStore {
        @Override
        public Optional<Claim> peek(Key key) {
            return super.peek(key)
                    .map(told -> told instanceof Claim.Settled settled
                            ? new Claim.Settled(settled.fingerprint(), null, settled.remaining())
                            : told);
        }
    }

    @Breaks("S6")
    static class PeeksAtWhatIsGoneAsIfFree extends PlainStore {
        @Override
        public Optional<Claim> peek(Key key) {
            return super.peek(key).filter(told -> !(told instanceof Claim.Settled settled && settled.result() == null));
        }
    }
}
