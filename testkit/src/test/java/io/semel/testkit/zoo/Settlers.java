// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.store.Settlement;
import io.semel.store.Settlement.Complete;
import io.semel.store.Settlement.Release;
import io.semel.store.Settlement.Renew;
import org.jspecify.annotations.Nullable;

/** Wrong about who may settle. */
final class Settlers implements Zoo {

    @Breaks("S4")
    static class SettlesByKeyAlone extends PlainStore {
        @Override
        boolean refuseToSettle(Key key, @Nullable Row row, String holder, Settlement settlement) {
            if (row == null || row.settled) {
                return false;
            }
            apply(row, settlement);
            return true;
        }
    }

    @Breaks("S4")
    static class LetsAnybodyComplete extends SettlesByKeyAlone {
        @Override
        boolean refuseToSettle(Key key, @Nullable Row row, String holder, Settlement settlement) {
            return settlement instanceof Complete && super.refuseToSettle(key, row, holder, settlement);
        }
    }

    @Breaks("S4")
    static class LetsAnybodyRelease extends SettlesByKeyAlone {
        @Override
        boolean refuseToSettle(Key key, @Nullable Row row, String holder, Settlement settlement) {
            return settlement instanceof Release && super.refuseToSettle(key, row, holder, settlement);
        }
    }

    @Breaks("S4")
    static class LetsAnybodyRenew extends SettlesByKeyAlone {
        @Override
        boolean refuseToSettle(Key key, @Nullable Row row, String holder, Settlement settlement) {
            return settlement instanceof Renew && super.refuseToSettle(key, row, holder, settlement);
        }
    }

    @Breaks("S4")
    static class ForgetsTheFence extends PlainStore {
        @Override
        boolean isFence(Row row, long fence) {
            return true;
        }
    }

    @Breaks("S4")
    static class BelievesAnOlderFence extends PlainStore {
        @Override
        boolean isFence(Row row, long fence) {
            return row.fence >= fence;
        }
    }

    /** It refuses as it should, but not before it has written. */
    @Breaks("S4")
    static class RefusesAfterApplying extends SettlesByKeyAlone {
        @Override
        boolean refuseToSettle(Key key, @Nullable Row row, String holder, Settlement settlement) {
            super.refuseToSettle(key, row, holder, settlement);
            return false;
        }
    }

    @Breaks("S4")
    static class AppliesAndSaysNo extends PlainStore {
        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            super.settle(key, holder, fence, settlement);
            return false;
        }
    }

    @Breaks("S4")
    static class SaysYesAndDoesNothing extends PlainStore {
        @Override
        void apply(Row row, Settlement settlement) {
            row.since = nanos();
        }
    }

    @Breaks("S4")
    static class SaysYesToEverybody extends PlainStore {
        @Override
        boolean refuseToSettle(Key key, @Nullable Row row, String holder, Settlement settlement) {
            return true;
        }
    }

    @Breaks("S12")
    static class OverwritesWhatIsSettled extends PlainStore {
        @Override
        boolean refuseToSettle(Key key, @Nullable Row row, String holder, Settlement settlement) {
            if (row == null || !row.settled || !isHolder(row, holder)) {
                return false;
            }
            row.settled = settlement instanceof Complete;
            apply(row, settlement);
            return true;
        }
    }

    /** An upsert. */
    @Breaks("S4")
    static class SettlesWhatIsFree extends PlainStore {
        @Override
        boolean refuseToSettle(Key key, @Nullable Row row, String holder, Settlement settlement) {
            if (row == null) {
                apply(new Row(key, Fingerprint.none(), holder), settlement);
            }
            return false;
        }
    }

    @Breaks("S4")
    static class RefusesLateHolders extends PlainStore {
        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            synchronized (backend) {
                Row row = find(at(key));
                return row != null && !isLapsed(row) && super.settle(key, holder, fence, settlement);
            }
        }
    }

    @Breaks("S4")
    static class SettlesOnlyThroughTheSameHandle extends PlainStore {
        @Override
        String keepHolder(String holder) {
            backend.extras.put(holder, (long) handle);
            return holder;
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            synchronized (backend) {
                return backend.extras.getOrDefault(holder, 0L) == handle
                        && super.settle(key, holder, fence, settlement);
            }
        }
    }

    @Breaks("S4")
    static class FoldsHolders extends PlainStore {
        @Override
        boolean isHolder(Row row, String holder) {
            return row.holder.equalsIgnoreCase(holder);
        }
    }

    @Breaks("S4")
    static class TrimsHolders extends PlainStore {
        @Override
        boolean isHolder(Row row, String holder) {
            return row.holder.strip().equals(holder.strip());
        }
    }

    @Breaks("S4")
    static class CutsHolders extends PlainStore {
        @Override
        boolean isHolder(Row row, String holder) {
            return cut(row.holder).equals(cut(holder));
        }

        private static String cut(String holder) {
            return holder.substring(0, Math.min(60, holder.length()));
        }
    }

    @Breaks("S4")
    static class ComparesTheBeginningOfHolders extends PlainStore {
        @Override
        boolean isHolder(Row row, String holder) {
            return row.holder.startsWith(holder) || holder.startsWith(row.holder);
        }
    }

    @Breaks("S4")
    static class RevivesWhatIsForgotten extends PlainStore {
        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            synchronized (backend) {
                Row row = backend.rows.get(at(key));
                if (row != null && row.settled && row.forget <= nanos()) {
                    row.forget = Long.MAX_VALUE;
                }
                return super.settle(key, holder, fence, settlement);
            }
        }
    }

    @Breaks("S6")
    static class FreesWhatIsGoneWhenAskedToSettleIt extends PlainStore {
        @Override
        boolean refuseToSettle(Key key, @Nullable Row row, String holder, Settlement settlement) {
            if (row != null && row.settled && row.result == null) {
                remove(at(key));
            }
            return false;
        }
    }
}
