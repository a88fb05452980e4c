// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.gateway.RunningProgram;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration as people run it, in its own process. */
@Timeout(120)
class DemoTest {

    private static final int INTERRUPTED = 130;

    @TempDir
    private Path directory;

    private RunningProgram demo(String... options) {
        String[] args = new String[options.length + 1];
        args[0] = "demo";
        System.arraycopy(options, 0, args, 1, options.length);
        return RunningProgram.semel(directory, args);
    }

    /** What Ctrl-C sends. */
    private static void interrupt(RunningProgram running) throws Exception {
        String process = Long.toString(running.process.pid());
        assertThat(new ProcessBuilder("kill", "-INT", process).start().waitFor())
                .isZero();
    }

    private static int row(RunningProgram demo, String name) {
        String count = demo.await("^" + name + " +([0-9,]+) ").group(1);
        return Integer.parseInt(count.replace(",", ""));
    }

    private void nothingIsLeftBehind() {
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void behindTheGatewayNoOrderIsChargedTwiceAndAllAreAnswered() throws Exception {
        try (RunningProgram demo = demo("--keys", "200", "--clients", "8", "--seed", "7")) {
            demo.await("Console: http://127\\.0\\.0\\.1:\\d+");
            assertThat(row(demo, "requests")).isEqualTo(200);
            assertThat(row(demo, "executions")).isEqualTo(200);
            assertThat(row(demo, "deliveries")).isGreaterThan(200);
            assertThat(row(demo, "replays")).isPositive();
            assertThat(row(demo, "double charges")).isZero();
            demo.await("p50 / p99 +[0-9.]+ / [0-9.]+ ");
            demo.await("No order was charged twice");
            assertThat(demo.awaitEnd()).isZero();
            assertThat(String.join("", demo.said()).chars()).allMatch(each -> each < 128);
        }
        nothingIsLeftBehind();
    }

    @Test
    void withoutSemelTheSameStormChargesTwiceAndThatIsShown() throws Exception {
        try (RunningProgram demo = demo("--without", "--keys", "200", "--clients", "8", "--seed", "7")) {
            assertThat(row(demo, "double charges")).isPositive();
            demo.await("charged more than once");
            assertThat(demo.awaitEnd()).isZero();
        }
        nothingIsLeftBehind();
    }

    @Test
    void aLedgerWithAChargeTooManyIsExitCode1() throws Exception {
        try (RunningProgram demo = demo("--seconds", "3", "--clients", "2")) {
            demo.await("Clients -> gateway");
            Files.writeString(ledger(), "rigged 5 receipt-a\nrigged 5 receipt-b\n", StandardOpenOption.APPEND);

            assertThat(row(demo, "double charges")).isEqualTo(1);
            demo.await("^1 orders were charged more than once");
            assertThat(demo.awaitEnd()).isEqualTo(1);
        }
        nothingIsLeftBehind();
    }

    private Path ledger() throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "semel-demo*")) {
            return found.iterator().next().resolve("ledger");
        }
    }

    @Test
    void aStormThatIsInterruptedEndsAtOnceAndLeavesNothingBehind() throws Exception {
        try (RunningProgram demo = demo("--seconds", "600", "--clients", "4")) {
            demo.await("orders.*deliveries.*charges");
            interrupt(demo);
            assertThat(demo.awaitEnd()).isEqualTo(INTERRUPTED);
            assertThat(row(demo, "double charges")).isZero();
        }
        nothingIsLeftBehind();
    }

    @Test
    void theConsoleStaysUntilItIsInterruptedAndLeavesNothingBehind() throws Exception {
        try (RunningProgram demo = demo("--keys", "20", "--keep")) {
            URI console = URI.create(demo.await("stays at (\\S+) until").group(1));
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest status =
                    HttpRequest.newBuilder(console.resolve("/api/status")).build();
            assertThat(client.send(status, BodyHandlers.ofString()).body()).contains("\"executed\":");
            interrupt(demo);
            assertThat(demo.awaitEnd()).isEqualTo(INTERRUPTED);
            assertThatThrownBy(() -> client.send(status, BodyHandlers.ofString()))
                    .isInstanceOf(ConnectException.class);
        }
        nothingIsLeftBehind();
    }
}
