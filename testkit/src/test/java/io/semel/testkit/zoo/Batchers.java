// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Key;
import io.semel.StoreException;
import io.semel.store.Claim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** Wrong about batches. */
final class Batchers implements Zoo {

    @Breaks("S1")
    static class RefusesEmptyBatches extends PlainStore {
        @Override
        public List<Claim> claimAll(List<Claiming> claimings) {
            if (claimings.isEmpty()) {
                throw new StoreException("syntax error at or near \")\"", null);
            }
            return super.claimAll(claimings);
        }
    }

    /** Sorted by key, so that two batches do not lock each other out, and answered as sorted. */
    @Breaks("S1")
    static class AnswersClaimsInTheOrderOfKeys extends PlainStore {
        @Override
        public List<Claim> claimAll(List<Claiming> claimings) {
            List<Claiming> sorted = new ArrayList<>(claimings);
            sorted.sort(Comparator.comparing(each -> each.call().key().toString()));
            return super.claimAll(sorted);
        }
    }

    @Breaks("S4")
    static class AnswersSettlesInTheOrderOfKeys extends PlainStore {
        @Override
        public List<Boolean> settleAll(List<Settling> settlings) {
            List<Settling> sorted = new ArrayList<>(settlings);
            sorted.sort(Comparator.comparing(each -> each.key().toString()));
            return super.settleAll(sorted);
        }
    }

    @Breaks("S1")
    static class AnswersEachKeyOnce extends PlainStore {
        @Override
        public List<Claim> claimAll(List<Claiming> claimings) {
            Map<Key, Claim> answers = new LinkedHashMap<>();
            for (Claiming each : claimings) {
                answers.computeIfAbsent(each.call().key(), key -> claim(each.call(), each.holder(), each.lease()));
            }
            return claimings.stream()
                    .map(each -> answers.get(each.call().key()))
                    .toList();
        }
    }

    @Breaks("S2")
    static class ClaimsTheLastOfEachKey extends PlainStore {
        @Override
        public List<Claim> claimAll(List<Claiming> claimings) {
            List<Claiming> backwards = new ArrayList<>(claimings);
            Collections.reverse(backwards);
            List<Claim> answers = new ArrayList<>(super.claimAll(backwards));
            Collections.reverse(answers);
            return answers;
        }
    }

    @Breaks("S13")
    static class ForgetsHoldersWithinABatch extends PlainStore {
        private boolean inBatch;

        @Override
        boolean isHolder(Row row, String holder) {
            return !inBatch && super.isHolder(row, holder);
        }

        @Override
        public List<Claim> claimAll(List<Claiming> claimings) {
            inBatch = true;
            List<Claim> answers = super.claimAll(claimings);
            inBatch = false;
            return answers;
        }
    }

    @Breaks("S4")
    static class SettlesTheLastOfEachKey extends PlainStore {
        @Override
        public List<Boolean> settleAll(List<Settling> settlings) {
            Map<Key, Settling> last = new LinkedHashMap<>();
            settlings.forEach(each -> last.put(each.key(), each));
            Map<Key, Boolean> applied = new LinkedHashMap<>();
            last.values()
                    .forEach(each -> applied.put(
                            each.key(), settle(each.key(), each.holder(), each.fence(), each.settlement())));
            return settlings.stream().map(each -> applied.get(each.key())).toList();
        }
    }

    @Breaks("S4")
    static class SaysThatAllOfABatchApplied extends PlainStore {
        @Override
        public List<Boolean> settleAll(List<Settling> settlings) {
            super.settleAll(settlings);
            return Collections.nCopies(settlings.size(), true);
        }
    }

    @Breaks("S4")
    static class StopsABatchAtTheFirstRefusal extends PlainStore {
        @Override
        public List<Boolean> settleAll(List<Settling> settlings) {
            List<Boolean> applied = new ArrayList<>();
            for (Settling each : settlings) {
                boolean go = !applied.contains(false);
                applied.add(go && settle(each.key(), each.holder(), each.fence(), each.settlement()));
            }
            return applied;
        }
    }

    @Breaks("S1")
    static class TakesAHundredAtMost extends PlainStore {
        @Override
        public List<Claim> claimAll(List<Claiming> claimings) {
            return super.claimAll(claimings.subList(0, Math.min(100, claimings.size())));
        }
    }

    /** A lock timeout, taken for a refusal. */
    @Breaks("S4")
    static class GivesUpWhereAnotherBatchIsAtIt extends PlainStore {
        private static final Semaphore ONE_AT_A_TIME = new Semaphore(1);

        @Override
        public List<Boolean> settleAll(List<Settling> settlings) {
            if (!ONE_AT_A_TIME.tryAcquire()) {
                return Collections.nCopies(settlings.size(), false);
            }
            try {
                List<Boolean> applied = new ArrayList<>();
                for (Settling each : settlings) {
                    LockSupport.parkNanos(1_000);
                    applied.add(settle(each.key(), each.holder(), each.fence(), each.settlement()));
                }
                return applied;
            } finally {
                ONE_AT_A_TIME.release();
            }
        }
    }
}
