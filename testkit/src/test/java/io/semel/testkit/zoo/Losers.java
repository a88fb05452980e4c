// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Settlement.Complete;
import java.time.Duration;
import java.util.List;

/** Wrong about what survives a crash. */
final class Losers implements Zoo {

    @Breaks("S11")
    static class HasNoDisk extends PlainStore {
        @Override
        void write(Object at, Row row) {
            backend.rows.put(at, row);
        }
    }

    @Breaks("S11")
    static class MakesNoPromise extends PlainStore {
        @Override
        public Level level() {
            return Level.BEST_EFFORT;
        }
    }

    @Breaks("S11")
    static class LosesClaims extends PlainStore {
        @Override
        void write(Object at, Row row) {
            super.write(at, row);
            if (!row.settled) {
                backend.disk.remove(at);
            }
        }
    }

    @Breaks("S11")
    static class LosesResults extends PlainStore {
        @Override
        void write(Object at, Row row) {
            if (row.settled) {
                backend.rows.put(at, row);
            } else {
                super.write(at, row);
            }
        }
    }

    @Breaks("S11")
    static class LosesLongResults extends PlainStore {
        @Override
        void write(Object at, Row row) {
            if (row.result != null && row.result.length > 4_096) {
                backend.rows.put(at, row);
            } else {
                super.write(at, row);
            }
        }
    }

    @Breaks("S11")
    static class LosesRenewals extends PlainStore {
        @Override
        void renew(Row row, Duration lease) {
            row.until = later(nanos(), lease);
        }
    }

    @Breaks("S11")
    static class LosesReleases extends PlainStore {
        @Override
        void remove(Object at) {
            backend.rows.remove(at);
        }
    }

    @Breaks("S11")
    static class LosesFences extends PlainStore {
        @Override
        void write(Object at, Row row) {
            super.write(at, row);
            backend.fenceOnDisk = 0;
        }

        @Override
        void remove(Object at) {
            super.remove(at);
            backend.fenceOnDisk = 0;
        }
    }

    @Breaks("S11")
    static class LosesTakeovers extends PlainStore {
        @Override
        Claim takeOver(Row row, Call call, String holder, Duration lease) {
            Row before = row.clone();
            Claim claim = super.takeOver(row, call, holder, lease);
            backend.disk.put(at(row.key), before);
            return claim;
        }
    }

    @Breaks("S11")
    static class LosesBatches extends PlainStore {
        @Override
        public List<Boolean> settleAll(List<Settling> settlings) {
            List<Boolean> applied = super.settleAll(settlings);
            settlings.forEach(each -> backend.disk.remove(at(each.key())));
            return applied;
        }
    }

    @Breaks("S11")
    static class LosesAmendments extends InspectableStore {
        @Override
        public boolean amend(Key key, byte[] seen, Settlement verdict) {
            synchronized (backend) {
                Row before = backend.disk.get(at(key));
                boolean amended = super.amend(key, seen, verdict);
                backend.disk.put(at(key), before);
                return amended;
            }
        }
    }

    /** It counts ages from its own start, which comes again. */
    @Breaks("S11")
    static class MakesEverythingYoungAgain extends PlainStore {
        @Override
        void write(Object at, Row row) {
            super.write(at, row);
            if (row.settled && row.result == null) {
                backend.disk.get(at).result = new byte[0];
                backend.disk.get(at).until = row.forget;
            }
        }
    }

    /** It acknowledges first and syncs every now and then. */
    @Breaks("S11")
    static class SyncsLater extends PlainStore {
        @Override
        void write(Object at, Row row) {
            backend.rows.put(at, row);
            if (backend.extras.merge("writes", 1L, Long::sum) % 10 == 0) {
                backend.rows.forEach((each, live) -> backend.disk.put(each, live.clone()));
                backend.fenceOnDisk = backend.fence;
            }
        }
    }

    @Breaks("S11")
    static class SyncsWhenCompleted extends PlainStore {
        @Override
        void write(Object at, Row row) {
            backend.rows.put(at, row);
        }

        @Override
        void complete(Row row, Complete complete) {
            super.complete(row, complete);
            backend.disk.put(at(row.key), row.clone());
            backend.fenceOnDisk = backend.fence;
        }
    }
}
