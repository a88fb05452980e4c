// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.client.internal.journal.IntentRecord;
import io.semel.client.internal.journal.JournalFormat;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileIntentJournalTest {

    private static final Instant SINCE = Instant.parse("2026-11-15T10:00:00.123Z");

    @TempDir
    Path directory;

    @Test
    void whatIsNotStruckOutIsFoundAgainByteForByte() throws IOException {
        byte[] body = new byte[3000];
        new Random(1).nextBytes(body);
        try (FileIntentJournal intents = FileIntentJournal.open(file())) {
            intents.begin(intent("a", body));
            intents.begin(intent("b", new byte[0]));
            intents.begin(intent("c", "çığ €".getBytes(UTF_8)));
            intents.done("b");
            intents.done("never begun");
        }

        try (FileIntentJournal intents = FileIntentJournal.open(file())) {
            List<Intent> left = intents.unfinished();
            assertThat(left).extracting(Intent::key).containsExactly("a", "c");
            Intent first = left.get(0);
            assertThat(first.body()).isEqualTo(body);
            assertThat(first.method()).isEqualTo("PATCH");
            assertThat(first.uri()).isEqualTo(URI.create("https://service.example/%C3%A7?q=1%2B1"));
            assertThat(first.headers())
                    .isEqualTo(Map.of("accept", List.of("text/plain", "*/*"), "content-type", List.of("a/b")));
            assertThat(first.since()).isEqualTo(SINCE);
        }
    }

    @Test
    void aTailThatWasTornAnywhereIsCutAndNothingBeforeItIsLost() throws IOException {
        byte[] whole = twoBegun();
        int second = lengthWithOne();
        for (int torn = second; torn < whole.length; torn++) {
            Files.write(file(), Arrays.copyOf(whole, torn));
            try (FileIntentJournal intents = FileIntentJournal.open(file())) {
                assertThat(intents.unfinished()).extracting(Intent::key).containsExactly("first");
                intents.begin(intent("third", new byte[0]));
            }
            try (FileIntentJournal intents = FileIntentJournal.open(file())) {
                assertThat(intents.unfinished()).extracting(Intent::key).containsExactly("first", "third");
            }
        }
    }

    @Test
    void aTailOfZeroesOrRubbishIsCut() throws IOException {
        byte[] whole = twoBegun();
        byte[] rubbish = new byte[5000];
        new Random(7).nextBytes(rubbish);
        for (byte[] tail : List.of(new byte[5000], rubbish)) {
            Files.write(file(), concat(whole, tail));
            try (FileIntentJournal intents = FileIntentJournal.open(file())) {
                assertThat(intents.unfinished()).hasSize(2);
            }
            assertThat(Files.size(file())).isEqualTo(whole.length);
        }
    }

    @Test
    void aBitThatFlippedBeforeOtherRecordsIsRefusedAndNothingIsChanged() throws IOException {
        byte[] whole = twoBegun();
        int second = lengthWithOne();
        for (int at = JournalFormat.HEADER; at < second; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Files.write(file(), damaged);

            assertThatThrownBy(() -> FileIntentJournal.open(file()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is damaged at byte " + JournalFormat.HEADER)
                    .hasMessageContaining("Nothing in it was changed");
            assertThat(Files.readAllBytes(file())).isEqualTo(damaged);
        }
    }

    @Test
    void aBodyCannotBeMadeToLookLikeARecord() throws IOException {
        byte[] other;
        try (FileIntentJournal intents = FileIntentJournal.open(directory.resolve("other"))) {
            intents.begin(intent("forged", new byte[0]));
            other = Files.readAllBytes(directory.resolve("other"));
        }
        byte[] forged = Arrays.copyOfRange(other, JournalFormat.HEADER, other.length);
        try (FileIntentJournal intents = FileIntentJournal.open(file())) {
            intents.begin(intent("hostile", concat(forged, new byte[100])));
        }
        byte[] whole = Files.readAllBytes(file());
        Files.write(file(), Arrays.copyOf(whole, whole.length - 1));

        try (FileIntentJournal intents = FileIntentJournal.open(file())) {
            assertThat(intents.unfinished()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "semel-intents 1\n", "semel-intents 2\n12345678", "#!/bin/sh\necho 'a longer file'\n"})
    void aFileOfAnotherKindOrVersionIsRefusedAndNothingIsChanged(String content) throws IOException {
        Files.writeString(file(), content, ISO_8859_1);

        assertThatThrownBy(() -> FileIntentJournal.open(file())).hasMessageContaining("is no journal of intents");
        assertThat(Files.readString(file(), ISO_8859_1)).isEqualTo(content);
    }

    @Test
    void aRecordOfAnotherVersionIsRefused() throws IOException {
        JournalFormat format = new JournalFormat(17);
        for (byte[] record : List.of(new byte[] {9, 0, 0, 0, 1, 'k'}, new byte[0], new byte[] {1, 127, 0, 0, 0})) {
            Files.write(file(), concat(format.header(), format.frame(record)));

            assertThatThrownBy(() -> FileIntentJournal.open(file()))
                    .hasMessageContaining("cannot be read by this version");
        }
    }

    @Test
    void theFirstFormatStaysReadable() throws IOException {
        byte[] golden;
        try (var in = FileIntentJournalTest.class.getResourceAsStream("/golden/intents-1/two-begun-one-done.hex")) {
            golden = HexFormat.of().parseHex(new String(in.readAllBytes(), UTF_8).strip());
        }
        Files.write(file(), golden);

        try (FileIntentJournal intents = FileIntentJournal.open(file())) {
            assertThat(intents.unfinished())
                    .extracting(Intent::toString)
                    .containsExactly("PATCH https://service.example/%C3%A7 under the key first");
            assertThat(intents.unfinished().get(0).since()).isEqualTo(SINCE);
        }
        JournalFormat format = new JournalFormat(0x5eed_5eed_5eed_5eedL);
        byte[] written = concat(
                concat(format.header(), format.frame(new IntentRecord("first", intent("first", new byte[3])).bytes())),
                concat(
                        format.frame(new IntentRecord("second", intent("second", new byte[0])).bytes()),
                        format.frame(new IntentRecord("second", null).bytes())));
        assertThat(written).isEqualTo(golden);
    }

    @Test
    void itStaysSmallHoweverMuchIsStruckOut() throws IOException {
        byte[] body = new byte[100_000];
        try (FileIntentJournal intents = FileIntentJournal.open(file())) {
            intents.begin(intent("stays", body));
            for (int i = 0; i < 100; i++) {
                intents.begin(intent("passes " + i, body));
                intents.done("passes " + i);
                assertThat(Files.size(file())).isLessThan(1_300_000);
            }
            assertThat(intents.rewriteFailure()).isEmpty();
        }
        try (FileIntentJournal intents = FileIntentJournal.open(file())) {
            assertThat(intents.unfinished()).extracting(Intent::key).containsExactly("stays");
            assertThat(intents.unfinished().get(0).body()).isEqualTo(body);
        }
    }

    @Test
    void anUnfinishedRewriteIsForgotten() throws IOException {
        twoBegun();
        Files.writeString(directory.resolve("intents.new"), "half a file");

        try (FileIntentJournal intents = FileIntentJournal.open(file())) {
            assertThat(intents.unfinished()).hasSize(2);
        }
    }

    @Test
    void itBelongsToOne() throws IOException {
        try (FileIntentJournal first = FileIntentJournal.open(file())) {
            assertThatThrownBy(() -> FileIntentJournal.open(file()))
                    .hasMessageContaining("open in this process already");
            first.begin(intent("a", new byte[0]));
        }
        FileIntentJournal.open(file()).close();
    }

    @Test
    void onlyItsOwnerMayReadIt() throws IOException {
        twoBegun();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void anInterruptedThreadDoesNoHarmToIt() throws IOException {
        byte[] body = new byte[400_000];
        try (FileIntentJournal intents = FileIntentJournal.open(file())) {
            Thread.currentThread().interrupt();
            for (int i = 0; i < 5; i++) {
                intents.begin(intent("k" + i, body));
                intents.done("k" + i);
            }
            intents.begin(intent("last", body));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(intents.rewriteFailure()).isEmpty();
        }
        try (FileIntentJournal intents = FileIntentJournal.open(file())) {
            assertThat(intents.unfinished()).extracting(Intent::key).containsExactly("last");
        }
    }

    private Path file() {
        return directory.resolve("intents");
    }

    private byte[] twoBegun() throws IOException {
        Files.deleteIfExists(file());
        try (FileIntentJournal intents = FileIntentJournal.open(file())) {
            intents.begin(intent("first", new byte[3]));
            intents.begin(intent("second", new byte[20]));
        }
        return Files.readAllBytes(file());
    }

    private static int lengthWithOne() {
        JournalFormat format = JournalFormat.fresh();
        return JournalFormat.HEADER
                + format.frame(new IntentRecord("first", intent("first", new byte[3])).bytes()).length;
    }

    private static byte[] concat(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    static Intent intent(String key, byte[] body) {
        return Intent.restored(
                key,
                "PATCH",
                URI.create("https://service.example/%C3%A7?q=1%2B1"),
                Map.of("content-type", List.of("a/b"), "accept", List.of("text/plain", "*/*")),
                body,
                SINCE);
    }
}
