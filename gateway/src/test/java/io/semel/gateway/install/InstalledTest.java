// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.semel.gateway.install.Installation.Started;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The zip, after it was made: unpacked to a path with spaces, and used from another directory. */
@Tag("zip")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class InstalledTest {

    @TempDir
    private static Path temporary;

    private static final Pattern LISTED = Pattern.compile("(?m)^[\\w.]+:([\\w.-]+):([\\w.-]+)$");

    private static Installation installed;

    @TempDir
    private Path elsewhere;

    @BeforeAll
    static void unpack() throws IOException {
        installed = Installation.unpack(Files.createDirectory(temporary.resolve("a folder with spaces")));
    }

    @Test
    void itsVersionIsThatOfTheZip() throws Exception {
        String zip = Installation.ZIP.getFileName().toString();

        assertThat(installed.run(elsewhere, "bin/semel", "--version"))
                .isEqualTo(
                        "0\nsemel " + zip.substring("semel-gateway-".length(), zip.length() - ".zip".length()) + "\n");
    }

    @Test
    void itProtectsAService() throws Exception {
        protectsAService();
    }

    @Test
    void itStartsFromAnArchiveOfClassesToo() throws Exception {
        assertThat(installed.run(elsewhere, "bin/prepare")).isEqualTo("0\n");
        assertThat(installed.file("lib/semel.jsa")).isNotEmptyFile();

        protectsAService();
    }

    private void protectsAService() throws Exception {
        AtomicInteger effects = new AtomicInteger();
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            byte[] answer = ("effect " + effects.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        service.start();
        try (Started gateway = installed.start(
                elsewhere,
                Map.of(),
                "bin/semel",
                "gateway",
                "--upstream",
                "http://127.0.0.1:" + service.getAddress().getPort(),
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0")) {
            String port = gateway.await("gateway on http://127.0.0.1:(\\d+)").group(1);
            gateway.await("^Ready\\.$");

            HttpResponse<String> first = pay(port);
            HttpResponse<String> retry = pay(port);

            assertThat(first.statusCode()).isEqualTo(201);
            assertThat(retry.body()).isEqualTo(first.body());
            assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
            assertThat(effects).hasValue(1);
            gateway.stop();
            assertThat(gateway.end()).contains("Stopped.").doesNotContain("WARNING");
            assertThat(elsewhere.resolve("semel-data")).isDirectory();
        } finally {
            service.stop(0);
        }
    }

    private static HttpResponse<String> pay(String port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/payments"))
                .header("Idempotency-Key", "order-17")
                .POST(BodyPublishers.ofString("{\"cents\":500}"))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    @Test
    void doctorExaminesItsStore() throws Exception {
        assertThat(installed.run(elsewhere, "bin/semel", "doctor", "--store", "memory:"))
                .startsWith("0\n")
                .contains("The store answers");
    }

    @Test
    void itsExampleOfSettingsIsValid() throws Exception {
        String example = installed.file("conf/semel.yaml").toString();

        assertThat(installed.run(elsewhere, "bin/semel", "gateway", "--check", "--config", example))
                .startsWith("0\n")
                .contains("Ready.");
    }

    @Test
    void settingsThatTheExampleSwitchesOffAreKnown() throws Exception {
        Path all = elsewhere.resolve("all.yaml");
        Files.writeString(
                all,
                Files.readString(installed.file("conf/semel.yaml"))
                        .replaceAll("(?m)^#(store|tls|health):.*$", "")
                        .replaceAll("(?m)^#(?=\\w|  )", ""));

        assertThat(installed.run(elsewhere, "bin/semel", "gateway", "--check", "--config", all.toString()))
                .startsWith("0\n")
                .contains("keys are required");
    }

    @Test
    void aLinkToItWorks() throws Exception {
        Path link = Files.createSymbolicLink(elsewhere.resolve("semel"), installed.file("bin/semel"));

        assertThat(installed.run(elsewhere, link.toString(), "--version")).startsWith("0\nsemel ");
    }

    @Test
    void withoutJavaItSaysWhatIsNeeded() throws Exception {
        Path none = Files.createDirectory(elsewhere.resolve("none"));
        try (Stream<Path> commands = Files.list(installed.commands())) {
            for (Path command : commands.toList()) {
                if (!command.endsWith("java")) {
                    Files.copy(command, none.resolve(command.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }

        assertThat(said(Map.of("PATH", none.toString())))
                .isEqualTo("1\nsemel: Java 17 or later is needed, and java is not on the PATH."
                        + " Install a JRE, or set JAVA_HOME.\n");
    }

    @Test
    void aJavaHomeWithoutJavaIsNamed() throws Exception {
        assertThat(said(Map.of("JAVA_HOME", elsewhere.toString())))
                .startsWith("1\nsemel: JAVA_HOME is " + elsewhere + ", which has no bin/java.");
    }

    @Test
    void aJavaThatIsTooOldIsNamedWithItsVersion() throws Exception {
        for (String version : List.of("1.8.0_402", "11.0.22", "16.0.2")) {
            Path old = Installation.oldJava(Files.createDirectory(elsewhere.resolve(version)), version);

            assertThat(said(Map.of("JAVA_HOME", old.toString())))
                    .isEqualTo("1\nsemel: Java 17 or later is needed; " + old.resolve("bin/java") + " is " + version
                            + ". Install a newer JRE, or set JAVA_HOME to one.\n");

            Files.writeString(old.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");

            assertThat(said(Map.of("JAVA_HOME", old.toString()))).contains(" is " + version + ". ");
        }
    }

    private String said(Map<String, String> environment) throws Exception {
        try (Started started = installed.start(elsewhere, environment, "bin/semel", "--version")) {
            return started.end();
        }
    }

    @Test
    void everyLibraryInItIsListedWithItsLicence() throws Exception {
        String listed = Files.readString(installed.file("THIRD-PARTY.txt"));
        List<String> missing = new ArrayList<>();
        for (String jar : installed.libraries()) {
            boolean named = LISTED.matcher(listed)
                    .results()
                    .anyMatch(each -> jar.startsWith(each.group(1) + "-" + each.group(2)));
            if (!jar.startsWith("semel") && !named) {
                missing.add(jar);
            }
        }

        assertThat(missing).isEmpty();
        assertThat(Files.readString(installed.file("LICENSE"))).contains("Apache License");
    }

    @Test
    void itHoldsNothingButWhatRuns() throws Exception {
        assertThat(installed.libraries())
                .noneMatch(jar -> jar.contains("junit") || jar.contains("testkit") || jar.contains("jspecify"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(installed.file("bin/semel"))))
                .isEqualTo("rwxr-xr-x");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(installed.file("conf/semel.yaml"))))
                .isEqualTo("rw-r--r--");
    }
}
