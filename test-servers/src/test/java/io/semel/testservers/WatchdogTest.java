// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.testservers.PostgresServer.Version;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatchdogTest {

    @Test
    void aJvmThatIsKilledLeavesNoServerAndNoFileBehind() throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starting.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = jvm.inputReader(StandardCharsets.UTF_8)) {
            Path root = Path.of(lines.readLine());
            List<ProcessHandle> servers = List.of(server(lines.readLine()), server(lines.readLine()));
            assertThat(servers).allMatch(ProcessHandle::isAlive);

            jvm.destroyForcibly();

            Await.that("the servers have ended", () -> servers.stream().noneMatch(ProcessHandle::isAlive));
            Await.that("their files are gone", () -> Files.notExists(root));
        }
    }

    private static ProcessHandle server(String ending) {
        Optional<ProcessHandle> server = ProcessHandle.of(Long.parseLong(ending.substring(ending.indexOf(' ') + 1)));
        return server.orElseThrow();
    }

    /** Starts two servers, says where they are, and waits to be killed. */
    static final class Starting {

        public static void main(String[] arguments) throws Exception {
            ServerProcess process = new ServerProcess("root", "KILL");
            Path root = process.directory().getParent();
            System.out.println(root);
            RedisServer redis = RedisServer.start();
            PostgresServer postgres = PostgresServer.start(Version.NEWEST);
            try (var endings = Files.find(root, 2, (file, attributes) -> file.endsWith(Watchdog.ENDING))) {
                for (Path each : endings.toList()) {
                    System.out.println(Files.readString(each).strip());
                }
            }
            System.in.read();
            redis.close();
            postgres.close();
        }

        private Starting() {}
    }
}
