// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Slot;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.text.Collator;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;

/** Wrong about what is the same key. */
final class Namers implements Zoo {

    @Breaks("S10")
    static class TrimsKeys extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(key.scope(), key.id().strip());
        }
    }

    /** As CHAR columns and most collations compare. */
    @Breaks("S10")
    static class PadsKeys extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(key.scope().stripTrailing(), key.id().stripTrailing());
        }
    }

    @Breaks("S10")
    static class FoldsCase extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(key.scope(), key.id().toLowerCase(Locale.ROOT));
        }
    }

    @Breaks("S10")
    static class FoldsTheCaseOfScopes extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(key.scope().toLowerCase(Locale.ROOT), key.id());
        }
    }

    @Breaks("S10")
    static class Normalizes extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(key.scope(), Normalizer.normalize(key.id(), Normalizer.Form.NFC));
        }
    }

    @Breaks("S10")
    static class NormalizesForCompatibility extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(key.scope(), Normalizer.normalize(key.id(), Normalizer.Form.NFKC));
        }
    }

    @Breaks("S10")
    static class Collates extends PlainStore {
        @Override
        Object at(Key key) {
            Collator collator = Collator.getInstance(Locale.ROOT);
            collator.setStrength(Collator.PRIMARY);
            return List.of(key.scope(), collator.getCollationKey(key.id()));
        }
    }

    @Breaks("S10")
    static class EndsKeysAtNul extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(key.scope(), key.id().split("\0", 2)[0]);
        }
    }

    @Breaks("S10")
    static class CutsKeysAt255 extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(
                    key.scope(), key.id().substring(0, Math.min(255, key.id().length())));
        }
    }

    @Breaks("S10")
    static class CutsScopeAndIdAt1000Bytes extends PlainStore {
        @Override
        Object at(Key key) {
            byte[] bytes = (key.scope() + "\0" + key.id()).getBytes(StandardCharsets.UTF_8);
            return key.id().length() + Arrays.toString(Arrays.copyOf(bytes, Math.min(1_000, bytes.length)));
        }
    }

    @Breaks("S10")
    static class IgnoresTheScope extends PlainStore {
        @Override
        Object at(Key key) {
            return key.id();
        }
    }

    @Breaks("S10")
    static class JoinsScopeAndIdWithAColon extends PlainStore {
        @Override
        Object at(Key key) {
            return key.scope() + ":" + key.id();
        }
    }

    @Breaks("S10")
    static class JoinsScopeAndIdWithNothing extends PlainStore {
        @Override
        Object at(Key key) {
            return key.scope() + key.id();
        }
    }

    @Breaks("S10")
    static class TrustsAHashOf32Bits extends PlainStore {
        @Override
        Object at(Key key) {
            return key.hashCode();
        }
    }

    @Breaks("S10")
    static class TrustsAChecksum extends PlainStore {
        @Override
        Object at(Key key) {
            CRC32 checksum = new CRC32();
            checksum.update(key.id().getBytes(StandardCharsets.UTF_8));
            return key.scope() + checksum.getValue();
        }
    }

    @Breaks("S10")
    static class WritesLatin1 extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(
                    key.scope(),
                    new String(key.id().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1));
        }
    }

    /** Three bytes for a character, and no more. */
    @Breaks("S10")
    static class WritesUtf8OfThreeBytes extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(key.scope(), key.id().replaceAll("[\\x{10000}-\\x{10FFFF}]", "\ufffd"));
        }
    }

    @Breaks("S10")
    static class FindsByPattern extends PlainStore {
        @Override
        Object at(Key key) {
            String pattern = ("\\Q" + key.id() + "\\E").replace("%", "\\E.*\\Q").replace("_", "\\E.\\Q");
            return backend.rows.values().stream()
                    .filter(row ->
                            row.key.scope().equals(key.scope()) && row.key.id().matches(pattern))
                    .findFirst()
                    .map(row -> row.key)
                    .orElse(key);
        }
    }

    @Breaks("S10")
    static class KnowsOnlyHashTags extends PlainStore {
        @Override
        Object at(Key key) {
            String id = key.id();
            int open = id.indexOf('{');
            int close = id.indexOf('}', open + 1);
            return List.of(key.scope(), open >= 0 && close > open + 1 ? id.substring(open + 1, close) : id);
        }
    }

    @Breaks("S10")
    static class DecodesUrls extends PlainStore {
        @Override
        Object at(Key key) {
            String safe = key.id().replaceAll("%(?![0-9a-fA-F]{2})", "%25");
            return List.of(key.scope(), URLDecoder.decode(safe, StandardCharsets.UTF_8));
        }
    }

    @Breaks("S10")
    static class TakesDigitsForNumbers extends PlainStore {
        @Override
        Object at(Key key) {
            boolean number = key.id().matches("[+]?[0-9.]+(e[0-9]+)?");
            return List.of(
                    key.scope(),
                    number ? new BigDecimal(key.id()).stripTrailingZeros().toPlainString() : key.id());
        }
    }

    @Breaks("S10")
    static class DropsWhatCannotBeSeen extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(key.scope(), key.id().replaceAll("[\\p{Cf}\\p{Cc}]", ""));
        }
    }

    @Breaks("S10")
    static class UnescapesBackslashes extends PlainStore {
        @Override
        Object at(Key key) {
            return List.of(key.scope(), key.id().replaceAll("\\\\(.)", "$1"));
        }
    }

    @Breaks("S10")
    static class FoldsCaseInBatches extends PlainStore {
        private boolean inBatch;

        @Override
        Object at(Key key) {
            return inBatch ? List.of(key.scope(), key.id().toLowerCase(Locale.ROOT)) : key;
        }

        @Override
        public List<Claim> claimAll(List<Claiming> claimings) {
            inBatch = true;
            return super.claimAll(claimings);
        }
    }

    @Breaks("S10")
    static class LooksAtKeysWithoutCase extends InspectableStore {
        @Override
        public Optional<Slot> look(Key key) {
            synchronized (backend) {
                return backend.rows.values().stream()
                        .filter(row -> row.key.toString().equalsIgnoreCase(key.toString()))
                        .findFirst()
                        .map(this::show);
            }
        }
    }

    @Breaks("S10")
    static class KnowsOneObjectOnly extends PlainStore {
        @Override
        Object at(Key key) {
            return System.identityHashCode(key.id());
        }
    }
}
