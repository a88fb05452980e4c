// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Settlement.Complete;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Wrong about how long things are kept. */
final class Keepers implements Zoo {

    @Breaks("S5")
    static class CountsRetentionFromTheClaim extends PlainStore {
        @Override
        void complete(Row row, Complete complete) {
            long claimed = row.since;
            super.complete(row, complete);
            row.until = later(claimed, complete.retention().retention());
            row.forget = later(row.until, complete.retention().remembrance());
        }
    }

    @Breaks("S5")
    static class CountsRetentionFromTheEndOfTheLease extends PlainStore {
        @Override
        void complete(Row row, Complete complete) {
            long lease = row.until;
            super.complete(row, complete);
            row.until = later(Math.max(lease, nanos()), complete.retention().retention());
            row.forget = later(row.until, complete.retention().remembrance());
        }
    }

    @Breaks("S5")
    static class ProlongsRetentionOnReplay extends PlainStore {
        @Override
        Claim replay(Row row, Call call) {
            if (row.result != null && row.forget != Long.MAX_VALUE) {
                long more = nanos() - row.since;
                row.since += more;
                row.until += more;
                row.forget += more;
            }
            return super.replay(row, call);
        }
    }

    @Breaks("S6")
    static class ProlongsRemembranceWhenAsked extends PlainStore {
        @Override
        Claim replay(Row row, Call call) {
            if (row.result == null && row.forget != Long.MAX_VALUE) {
                row.forget = nanos() + (row.forget - row.until);
            }
            return super.replay(row, call);
        }
    }

    @Breaks("S6")
    static class ForgetsAtTheEndOfRetention extends PlainStore {
        @Override
        void complete(Row row, Complete complete) {
            super.complete(row, complete);
            row.forget = row.until;
        }
    }

    @Breaks("S6")
    static class AnswersUntilTheEndOfRemembrance extends PlainStore {
        @Override
        void complete(Row row, Complete complete) {
            super.complete(row, complete);
            row.until = row.forget;
        }
    }

    @Breaks("S6")
    static class NeverForgets extends PlainStore {
        @Override
        void complete(Row row, Complete complete) {
            super.complete(row, complete);
            row.forget = Long.MAX_VALUE;
        }
    }

    @Breaks("S6")
    static class FreesWhatIsGoneForAnotherRequest extends PlainStore {
        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            synchronized (backend) {
                Row row = find(at(call.key()));
                if (row != null && row.settled && row.result == null && !isSame(row, call)) {
                    remove(at(call.key()));
                }
                return super.claim(call, holder, lease);
            }
        }
    }

    @Breaks("S6")
    static class ForgetsTheFingerprintOfWhatIsGone extends PlainStore {
        @Override
        Claim tell(Row row) {
            boolean gone = row.settled && row.result == null;
            return gone ? new Claim.Settled(Fingerprint.none(), null, left(row.forget)) : super.tell(row);
        }
    }

    @Breaks("S6")
    static class BindsForgottenKeysToTheirFingerprint extends PlainStore {
        @Override
        void complete(Row row, Complete complete) {
            backend.extras.put(row.key, row.fingerprint.low());
            super.complete(row, complete);
        }

        @Override
        Claim open(Object at, Call call, String holder, Duration lease) {
            Long bound = backend.extras.get(call.key());
            boolean free = bound == null || bound == call.fingerprint().low();
            return free ? super.open(at, call, holder, lease) : new Claim.Held(call.fingerprint(), Duration.ZERO);
        }
    }

    @Breaks("S6")
    static class RemembersForAnHourAtLeast extends PlainStore {
        @Override
        void complete(Row row, Complete complete) {
            super.complete(row, complete);
            row.forget = row.forget == row.until ? later(row.until, Duration.ofHours(1)) : row.forget;
        }
    }

    @Breaks("S5")
    static class OverflowsForever extends PlainStore {
        @Override
        long later(long from, Duration span) {
            return from
                    + Math.min(span.toSeconds(), Duration.ofDays(365).toSeconds()) * 1_000_000_000L
                    + span.toNanosPart();
        }
    }

    @Breaks("S6")
    static class OverflowsForeverAfterRetention extends PlainStore {
        @Override
        void complete(Row row, Complete complete) {
            super.complete(row, complete);
            if (complete.retention().remembrance().equals(Retention.FOREVER)) {
                row.forget = row.until;
            }
        }
    }

    @Breaks("S5")
    static class OverflowsTheLongest extends PlainStore {
        @Override
        void complete(Row row, Complete complete) {
            super.complete(row, complete);
            if (complete.retention().retention().equals(Retention.LONGEST)) {
                row.until = nanos() + (int) Retention.LONGEST.toSeconds();
            }
        }
    }

    @Breaks("S5")
    static class TellsNothingRemaining extends PlainStore {
        @Override
        Claim tell(Row row) {
            return super.tell(row) instanceof Claim.Settled settled
                    ? new Claim.Settled(settled.fingerprint(), settled.result(), Duration.ZERO)
                    : super.tell(row);
        }
    }

    @Breaks("S5")
    static class TakesShortRetentionForNone extends PlainStore {
        @Override
        void complete(Row row, Complete complete) {
            super.complete(row, complete);
            if (complete.retention().retention().toSeconds() == 0) {
                row.forget = row.until;
            }
        }
    }

    /** It drops whatever is older than a month, also what is in flight. */
    @Breaks("S5")
    static class ExpiresClaimsByRetention extends PlainStore {
        @Override
        @Nullable
        Row find(Object at) {
            Row row = super.find(at);
            boolean old = row != null
                    && !row.settled
                    && nanos() - row.since > Duration.ofDays(30).toNanos();
            return old ? null : row;
        }
    }

    @Breaks("S5")
    static class KeepsTheEndOfAnEarlierRetention extends PlainStore {
        @Override
        void complete(Row row, Complete complete) {
            super.complete(row, complete);
            long until = row.until;
            row.until = backend.extras.computeIfAbsent(row.key, unused -> until);
        }
    }

    @Breaks("S6")
    static class ShowsWhatIsForgotten extends PlainStore {
        @Override
        public Optional<Claim> peek(Key key) {
            synchronized (backend) {
                return Optional.ofNullable(backend.rows.get(at(key))).map(this::tell);
            }
        }
    }
}
