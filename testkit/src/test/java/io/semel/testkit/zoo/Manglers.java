// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.store.Claim;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Wrong about results. */
final class Manglers implements Zoo {

    @Breaks("S5")
    static class CutsResultsAt64Kilobytes extends PlainStore {
        @Override
        byte[] keepResult(byte[] result) {
            return Arrays.copyOf(result, Math.min(result.length, 65_535));
        }
    }

    @Breaks("S5")
    static class TakesResultsForUtf8 extends PlainStore {
        @Override
        byte[] keepResult(byte[] result) {
            return new String(result, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
        }
    }

    @Breaks("S5")
    static class TakesResultsForAscii extends PlainStore {
        @Override
        byte[] keepResult(byte[] result) {
            return new String(result, StandardCharsets.US_ASCII).getBytes(StandardCharsets.US_ASCII);
        }
    }

    @Breaks("S5")
    static class TrimsResults extends PlainStore {
        @Override
        byte[] keepResult(byte[] result) {
            return new String(result, StandardCharsets.ISO_8859_1).trim().getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    @Breaks("S5")
    static class TakesEmptyResultsForNone extends PlainStore {
        @Override
        Claim tell(Row row) {
            Claim told = super.tell(row);
            boolean empty =
                    told instanceof Claim.Settled settled && settled.result() != null && settled.result().length == 0;
            return empty ? new Claim.Settled(row.fingerprint, null, left(row.until)) : told;
        }
    }

    @Breaks("S5")
    static class HandsOutItsOwnArray extends PlainStore {
        @Override
        byte[] showResult(byte[] result) {
            return result;
        }
    }

    @Breaks("S5")
    static class KeepsTheCallersArray extends PlainStore {
        @Override
        byte[] keepResult(byte[] result) {
            return result;
        }
    }

    @Breaks("S5")
    static class AnswersWithTheAskersFingerprint extends PlainStore {
        @Override
        Claim replay(Row row, Call call) {
            Claim.Settled told = (Claim.Settled) super.replay(row, call);
            return new Claim.Settled(call.fingerprint(), told.result(), told.remaining());
        }
    }

    @Breaks("S5")
    static class AnswersAFewTimes extends PlainStore {
        @Override
        Claim replay(Row row, Call call) {
            Claim told = super.replay(row, call);
            if (backend.extras.merge(row.key, 1L, Long::sum) > 5) {
                row.until = nanos();
            }
            return told;
        }
    }

    /** A cache that makes what is completed look as if it were in progress. */
    @Breaks("S5")
    static class CachesWhatItSawRunning extends PlainStore {
        private final Map<String, Claim> seen = new HashMap<>();

        @Override
        Claim refuse(Row row, Call call) {
            Claim told = super.refuse(row, call);
            seen.put(row.key + row.holder, told);
            return told;
        }

        @Override
        Claim replay(Row row, Call call) {
            return seen.getOrDefault(row.key + row.holder, super.replay(row, call));
        }
    }

    @Breaks("S5")
    static class AnswersOnlyInItsOwnProcess extends PlainStore {
        @Override
        byte[] keepResult(byte[] result) {
            backend.extras.put(Arrays.hashCode(result), (long) handle);
            return result.clone();
        }

        @Override
        byte[] showResult(byte[] result) {
            return backend.extras.getOrDefault(Arrays.hashCode(result), 0L) == handle ? result.clone() : new byte[0];
        }
    }

    /** A refused request wipes the answer of the one that was done. */
    @Breaks("S12")
    static class ForgetsItsAnswerOnAMismatch extends PlainStore {
        @Override
        Claim replay(Row row, Call call) {
            Claim told = super.replay(row, call);
            if (!isSame(row, call)) {
                remove(at(row.key));
            }
            return told;
        }
    }
}
