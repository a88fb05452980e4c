// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import io.semel.testkit.store.DurableStoreContract;
import io.semel.testkit.store.StoreContract;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;

class LawReportTest {

    @Test
    void aReportCountsEveryLawAndSaysWhichWereNotPutToTheTest(@TempDir Path directory) throws IOException {
        String printed = run(Right.class, directory);

        String report = Files.readString(directory.resolve("Right.txt"));
        assertThat(printed).isEqualTo(report);
        assertThat(report).startsWith("Right (MemoryStore, BEST_EFFORT, Inspectable, Purgeable)\n");
        assertThat(report).containsPattern("\nS1 +[1-9][0-9]* +0  Of any number");
        assertThat(report).containsPattern("\nS13 +[1-9][0-9]* +0  A claim may be repeated");
        assertThat(report).containsPattern("\nS11 +0 +0  not promised: An acknowledged claim");
        assertThat(report.lines()).hasSize(2 + StoreLaw.values().length);
    }

    @Test
    void aReportSaysLoudlyThatAPromiseWasNotPutToTheTest() {
        Tally tally = new Tally();
        tally.of("a store", true);

        assertThat(tally.report("Title")).containsPattern("\nS11 +0 +0  NOT PUT TO THE TEST: An acknowledged claim");
    }

    @Test
    void aReportCountsFailures(@TempDir Path directory) throws IOException {
        String report = run(Timeless.class, directory);

        assertThat(report).containsPattern("\nS3 +[1-9][0-9]* +[1-9][0-9]*  A slot whose lease ran out");
        assertThat(report).containsPattern("\nS9 +[1-9][0-9]* +0  Not knowing");
    }

    @Test
    void theLawsAreQuotedAsTheyAreWrittenDown() throws IOException {
        String laws = Files.readString(Path.of("..", "docs", "laws.md"));

        for (StoreLaw law : StoreLaw.values()) {
            assertThat(laws).contains("| " + law + " | " + law.text() + " |");
        }
    }

    @Test
    void everyLawHasATest() {
        Set<StoreLaw> tested = Arrays.stream(DurableStoreContract.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Law.class))
                .flatMap(method -> Arrays.stream(method.getAnnotation(Law.class).value()))
                .map(StoreLaw::valueOf)
                .collect(Collectors.toSet());

        assertThat(tested).isEqualTo(EnumSet.allOf(StoreLaw.class));
    }

    /** What it prints, which would otherwise stand in the build's own log as if it were about a store of ours. */
    private static String run(Class<?> contract, Path directory) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(contract))
                    .configurationParameter(LawReport.DIRECTORY, directory.toString())
                    .execute();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    static class Right extends StoreContract {

        final ManualTime time = new ManualTime();
        private final MemoryStore store = new MemoryStore(64 << 20, time);

        @Override
        protected Store open() {
            return store;
        }

        @Override
        protected void elapse(Duration span) {
            time.pause(span);
        }

        @Override
        protected Store failing() {
            return new MemoryStore(0, time);
        }
    }

    static class Timeless extends Right {

        @Override
        protected void elapse(Duration span) {
            time.pause(Duration.ZERO);
        }
    }
}
