// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import io.semel.gateway.admin.api.JsonViews;
import io.semel.gateway.config.yaml.ConfigError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class AuditLogTest {

    private static final Key KEY = Key.of("s", "i");
    private static final ObjectNode ANN = JsonViews.object()
            .put("operator", "ann")
            .put("why", "the bank said\nso")
            .put("status", 201);

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("audit.log");
    }

    private static void act(AuditLog audit, String result) {
        audit.noting(ANN, "resolve", KEY, () -> result, Object::toString);
    }

    private static List<String> results(AuditLog audit) {
        return audit.acts().all().stream()
                .map(act -> act.path("result").asString())
                .toList();
    }

    @Test
    void whoDidWhatToWhichKeyWhenAndWhyIsKnownToTheNextProcess() {
        act(new AuditLog(file), "APPLIED");

        AuditLog.Acts acts = new AuditLog(file).acts();
        assertThat(acts.unreadable()).isZero();
        assertThat(acts.all()).singleElement().satisfies(act -> {
            assertThat(act.path("at").asString()).startsWith("20").endsWith("Z");
            assertThat(act.path("operator").asString()).isEqualTo("ann");
            assertThat(act.path("act").asString()).isEqualTo("resolve");
            assertThat(act.path("why").asString()).isEqualTo("the bank said\nso");
            assertThat(act.path("status").asInt()).isEqualTo(201);
            assertThat(act.path("result").asString()).isEqualTo("APPLIED");
        });
        assertThat(acts.on(KEY)).hasSize(1);
        assertThat(acts.on(Key.of("s", "other"))).isEmpty();
    }

    @Test
    void aLineThatWasCutOffIsToldAndTheNextIsWhole() throws Exception {
        act(new AuditLog(file), "APPLIED");
        Files.writeString(file, "{\"at\":\"20", StandardOpenOption.APPEND);

        AuditLog again = new AuditLog(file);
        assertThat(again.unreadable()).isEqualTo(1);
        act(again, "NOT_FOUND");

        assertThat(results(again)).containsExactly("APPLIED", "NOT_FOUND");
        assertThat(again.unreadable()).isEqualTo(1);
    }

    @Test
    void whatCannotBeNotedIsNotDone() {
        AuditLog audit = new AuditLog(directory.resolve("missing/audit.log"));
        AtomicBoolean done = new AtomicBoolean();

        assertThatThrownBy(() -> audit.noting(ANN, "release", KEY, () -> done.getAndSet(true), String::valueOf))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("Nothing was changed");
        assertThat(done).isFalse();
    }

    @Test
    void anActWhoseProcessEndsInTheMiddleIsKnownToHaveBegun() {
        AuditLog audit = new AuditLog(file);
        assertThatThrownBy(() -> audit.noting(ANN, "release", KEY, AuditLogTest::die, String::valueOf))
                .isInstanceOf(LinkageError.class);

        assertThat(results(new AuditLog(file))).containsExactly("BEGUN");
    }

    /** Nothing that a fault of the work would throw. */
    private static String die() {
        throw new LinkageError("the process ends");
    }

    @Test
    void anActThatFailsIsNotedAsFailed() {
        AuditLog audit = new AuditLog(file);
        assertThatThrownBy(() -> audit.noting(
                        ANN,
                        "release",
                        KEY,
                        () -> {
                            throw new IllegalStateException("no");
                        },
                        String::valueOf))
                .hasMessage("no");

        assertThat(results(audit)).containsExactly("FAILED");
    }

    @Test
    void whoeverAskedIsToldTheResultEvenIfItIsNotNoted() throws Exception {
        Path there = Files.createDirectory(directory.resolve("there"));
        AuditLog audit = new AuditLog(there.resolve("audit.log"));

        String done = audit.noting(ANN, "release", KEY, () -> moved(there), String::valueOf);

        assertThat(done).isEqualTo("done");
        assertThat(results(new AuditLog(directory.resolve("away/audit.log")))).containsExactly("BEGUN");
    }

    private String moved(Path there) {
        try {
            Files.move(there, directory.resolve("away"));
            return "done";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theTrailIsBoundedAndGoesOnAcrossItsFiles() throws Exception {
        AuditLog audit = new AuditLog(file, 2000);
        for (int i = 0; i < 100; i++) {
            act(audit, "R" + i);
        }

        try (var files = Files.list(directory)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .contains("audit.log", "audit.log.1", "audit.log.9")
                    .doesNotContain("audit.log.10")
                    .hasSize(11);
        }
        assertThat(Files.size(file)).isLessThan(3000);
        List<String> kept = results(audit);
        assertThat(kept).hasSizeBetween(20, 60).endsWith("R97", "R98", "R99").doesNotContain("R0");
    }

    @Test
    void whoeverWritesAtTheSameTimeWritesWholeLines() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                AuditLog own = new AuditLog(file, 20_000);
                all.add(threads.submit(() -> {
                    for (int j = 0; j < 25; j++) {
                        act(own, "APPLIED");
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(results(new AuditLog(file))).hasSize(100).containsOnly("APPLIED");
        assertThat(new AuditLog(file).unreadable()).isZero();
    }

    @Test
    void aFileThatCannotBeReadIsSaidAtTheStart() {
        assertThatThrownBy(() -> new AuditLog(directory))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining("--audit");
    }

    @Test
    void theTrailIsForItsOwnerOnly() throws Exception {
        Path file = directory.resolve("own.log");
        AuditLog audit = new AuditLog(file, 200);
        for (int i = 0; i < 3; i++) {
            audit.noting(JsonMapper.shared().createObjectNode(), "purge", null, () -> 1, String::valueOf);
        }
        for (String suffix : List.of("", ".lock", ".1")) {
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(directory.resolve("own.log" + suffix))))
                    .isEqualTo("rw-------");
        }
    }
}
