// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RetryStormTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void theFixExitsWithZeroAndShowsItsCounts() throws InterruptedException {
        assertThat(run("--orders", "100", "--threads", "4")).isZero();
        assertThat(text(out))
                .contains("Retry storm against Fixed.java")
                .containsPattern("requests +100 ")
                .containsPattern("executions +100 ")
                .containsPattern("double charges +0 +charges too many, on 0 orders")
                .containsPattern("p50 / p99 +[0-9.]+ / [0-9.]+ +milliseconds")
                .contains("Every order was charged once");
        assertThat(err.size()).isZero();
    }

    @Test
    void theBugIsShownAndIsNoFailureOfTheDemonstration() throws InterruptedException {
        assertThat(run("--without-semel", "--orders", "100", "--threads", "4")).isZero();
        assertThat(text(out)).contains("Naive.java").contains("charged more than once");
    }

    @Test
    void wrongOptionsGoToStandardErrorWithExitCodeTwo() throws InterruptedException {
        assertThat(run("--clients", "3")).isEqualTo(2);
        assertThat(text(err)).isEqualToIgnoringNewLines("There is no option '--clients'. Try --help.");
        assertThat(out.size()).isZero();
    }

    @Test
    void helpGoesToStandardOutput() throws InterruptedException {
        assertThat(run("--help")).isZero();
        assertThat(text(out)).startsWith("Usage: ./semel demo [options]").contains("--attempt half-fix");
    }

    @Test
    void everythingShownIsPlainAscii() throws InterruptedException {
        run("--help");
        run("--orders", "50", "--attempt", "half-fix");
        assertThat(text(out).chars()).allMatch(c -> c < 128);
    }

    @Test
    void aTerminalGetsOneLineDrawnAgainAndAPipeGetsPlainLines() {
        Tally tally = new Tally();
        Ledger ledger = new Ledger(1);
        PrintStream shown = new PrintStream(out, true, StandardCharsets.UTF_8);
        new Progress(shown, true).show(1.5, tally, ledger);
        assertThat(text(out)).startsWith("\r\u001b[K").doesNotContain("\n").contains("1.5 s   0 orders");
        out.reset();
        new Progress(shown, false).show(1.5, tally, ledger);
        assertThat(text(out)).doesNotContain("\r\u001b").endsWith(System.lineSeparator());
    }

    private int run(String... args) throws InterruptedException {
        return RetryStorm.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
