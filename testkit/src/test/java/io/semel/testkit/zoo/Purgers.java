// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Wrong about what is over. */
final class Purgers implements Zoo {

    @Breaks("S6")
    static class PurgesNothing extends PlainStore {
        @Override
        public int purge(int limit) {
            return 0;
        }
    }

    @Breaks("S6")
    static class PurgesWithoutEnd extends PlainStore {
        @Override
        public int purge(int limit) {
            return Math.min(limit, 1 + super.purge(limit));
        }
    }

    @Breaks("S6")
    static class PurgesMoreThanItMay extends PlainStore {
        @Override
        public int purge(int limit) {
            return super.purge(Integer.MAX_VALUE);
        }
    }

    @Breaks("S6")
    static class PurgesKeysAtTheEndOfRetention extends PlainStore {
        @Override
        public int purge(int limit) {
            synchronized (backend) {
                int before = backend.rows.size();
                backend.rows.values().removeIf(row -> row.settled && row.until <= nanos());
                return before - backend.rows.size();
            }
        }
    }

    @Breaks("S5")
    static class PurgesWhatIsYoung extends PlainStore {
        @Override
        public int purge(int limit) {
            synchronized (backend) {
                int before = backend.rows.size();
                backend.rows.values().removeIf(row -> row.settled);
                return before - backend.rows.size();
            }
        }
    }

    @Breaks("S3")
    static class PurgesAbandonedSlots extends PlainStore {
        @Override
        public int purge(int limit) {
            synchronized (backend) {
                backend.rows.values().removeIf(row -> !row.settled && isLapsed(row));
                return super.purge(limit);
            }
        }
    }

    @Breaks("S3")
    static class PurgesWhatIsAYearOld extends PlainStore {
        @Override
        public int purge(int limit) {
            synchronized (backend) {
                backend.rows
                        .values()
                        .removeIf(row ->
                                nanos() - row.since > Duration.ofDays(365).toNanos());
                return super.purge(limit);
            }
        }
    }

    @Breaks("S7")
    static class PurgesFences extends PlainStore {
        @Override
        public int purge(int limit) {
            synchronized (backend) {
                backend.fence = 0;
                return super.purge(limit);
            }
        }
    }

    /** It looks for what is over, and then drops it by its key, whatever has become of that. */
    @Breaks("S5")
    static class ChecksThenPurges extends PlainStore {
        @Override
        public int purge(int limit) {
            List<Object> due = new ArrayList<>();
            synchronized (backend) {
                backend.rows.forEach((at, row) -> {
                    if (due.size() < limit && isDue(row)) {
                        due.add(at);
                    }
                });
            }
            LockSupport.parkNanos(20_000);
            synchronized (backend) {
                due.forEach(this::remove);
            }
            return due.size();
        }
    }
}
