// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AccessLogTest {

    @TempDir
    private Path directory;

    private static AccessLine line(String path) {
        return new AccessLine(
                Instant.EPOCH,
                "id",
                null,
                "::1",
                "GET",
                path,
                null,
                null,
                null,
                "passed",
                null,
                null,
                200,
                0,
                Duration.ZERO,
                null,
                false);
    }

    @Test
    void whoeverAddsALineNeverWaitsAndWhatFindsNoRoomIsCounted() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<String> written = new CopyOnWriteArrayList<>();
        AccessLog log = new AccessLog(
                new LogSink() {
                    @Override
                    public void write(byte[] lines) throws IOException {
                        stuck.countDown();
                        await(go);
                        written.addAll(new String(lines, StandardCharsets.UTF_8)
                                .lines()
                                .toList());
                    }

                    @Override
                    public void close() {}
                },
                AccessFormat.TEXT,
                false,
                10);
        log.add(line("/first"));
        stuck.await();

        for (int i = 0; i < 100; i++) {
            log.add(line("/" + i));
        }

        assertThat(log.dropped()).isEqualTo(90);
        go.countDown();
        log.close();
        assertThat(written).hasSize(11);
    }

    @Test
    void linesThatCannotBeWrittenAreCountedAndTheNextAreTriedAgain() throws Exception {
        Path file = directory.resolve("access.log");
        AccessLog log = AccessLog.in(file, 1 << 20, 2, AccessFormat.TEXT, false);
        Files.delete(file);
        Files.createDirectory(file);
        log.add(line("/lost"));
        while (log.dropped() == 0) {
            Thread.onSpinWait();
        }
        Files.delete(file);
        log.add(line("/kept"));
        log.close();

        assertThat(log.dropped()).isEqualTo(1);
        assertThat(Files.readString(file)).contains("/kept").doesNotContain("/lost");
    }

    @Test
    void aFullFileIsSetAsideAndTheOldestDropped() throws Exception {
        Path file = directory.resolve("access.log");
        try (var log = new Closing(new RotatingFile(file, 10, 2))) {
            for (String each : List.of("aaaaaaaaaaaa\n", "bbbbbbbbbbbb\n", "cccccccccccc\n", "d\n")) {
                log.file.write(each.getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThat(Files.readString(file)).isEqualTo("d\n");
        assertThat(Files.readString(directory.resolve("access.log.1"))).startsWith("c");
        assertThat(Files.readString(directory.resolve("access.log.2"))).startsWith("b");
        assertThat(directory.resolve("access.log.3")).doesNotExist();
    }

    @Test
    void aFileThatSomebodyMovedAwayIsBegunAnew() throws Exception {
        Path file = directory.resolve("access.log");
        try (var log = new Closing(new RotatingFile(file, 1 << 20, 2))) {
            log.file.write("before\n".getBytes(StandardCharsets.UTF_8));
            Files.move(file, directory.resolve("rotated"));
            log.file.write("after\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(Files.readString(directory.resolve("rotated"))).isEqualTo("before\n");
        assertThat(Files.readString(file)).isEqualTo("after\n");
    }

    private record Closing(RotatingFile file) implements AutoCloseable {

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void linesThatWaitAreBoundedByTheirBytesToo() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AccessLog log = new AccessLog(
                new LogSink() {
                    @Override
                    public void write(byte[] lines) throws IOException {
                        stuck.countDown();
                        await(go);
                    }

                    @Override
                    public void close() {}
                },
                AccessFormat.TEXT,
                false,
                16_384);
        log.add(line("/first"));
        stuck.await();

        String path = "/" + "x".repeat(16_000);
        for (int i = 0; i < 16_000; i++) {
            log.add(line(path));
        }

        assertThat(log.dropped()).isGreaterThan(15_000);
        go.countDown();
        log.close();
    }
}
