// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SpoolTest {

    @Test
    void whatIsWrittenIsReadInMemoryAndBeyondIt() throws IOException {
        Random random = new Random(11);
        for (int inMemory : List.of(0, 1, 100, 40_000, 1_000_000)) {
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            try (Spool spool = new Spool(inMemory, Long.MAX_VALUE)) {
                while (written.size() < 50_000) {
                    byte[] some = new byte[random.nextInt(3000)];
                    random.nextBytes(some);
                    spool.write(some, 0, some.length);
                    written.writeBytes(some);
                }
                ByteArrayOutputStream copy = new ByteArrayOutputStream();
                spool.writeTo(copy);

                assertThat(spool.isSpilled()).isEqualTo(inMemory < written.size());
                assertThat(spool.size()).isEqualTo(written.size());
                assertThat(spool.bytes()).isEqualTo(written.toByteArray());
                assertThat(copy.toByteArray()).isEqualTo(written.toByteArray());
                assertThat(spool.slice(45_000, 5).readAllBytes())
                        .isEqualTo(java.util.Arrays.copyOfRange(written.toByteArray(), 45_000, 45_005));
            }
        }
    }

    @Test
    void whatWasTakenBackIsGone() throws IOException {
        try (Spool spool = new Spool(2, 100)) {
            spool.write("before".getBytes(US_ASCII), 0, 6);
            spool.clear();
            spool.write("now".getBytes(US_ASCII), 0, 3);

            assertThat(new String(spool.bytes(), US_ASCII)).isEqualTo("now");
        }
    }

    @Test
    void moreThanIsAllowedIsRefusedAndSoIsWritingAfterTheEnd() throws IOException {
        Spool spool = new Spool(10, 20);
        spool.write(new byte[20], 0, 20);

        assertThatThrownBy(() -> spool.write(new byte[1], 0, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("20 bytes");
        spool.close();
        assertThatThrownBy(() -> spool.write(new byte[1], 0, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has been sent");
    }

    @Test
    void noFileIsLeft() throws IOException {
        try (Spool spool = new Spool(0, 100)) {
            spool.write(new byte[1], 0, 1);
            assertThat(spool.isSpilled()).isTrue();
        }

        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("semel") && name.endsWith(".body"));
        }
    }
}
