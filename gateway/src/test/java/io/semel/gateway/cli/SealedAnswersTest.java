// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static io.semel.gateway.cli.Typed.semel;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.CountingService;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway whose store has no answer that can be read without a key. */
@Timeout(120)
class SealedAnswersTest {

    @TempDir
    private Path directory;

    /** The same at every start: Host is part of what a request asks. */
    private final int port = freePort();

    private final CountingService origin = new CountingService();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void keys() throws IOException {
        origin.behaviour = (exchange, body, effect) -> CountingService.answer(exchange, 201, "card-4242 " + effect);
        key("old", 1);
        key("new", 2);
        key("other", 3);
    }

    @AfterEach
    void close() {
        origin.close();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void key(String name, int seed) throws IOException {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) seed);
        Files.writeString(directory.resolve(name), Base64.getEncoder().encodeToString(bytes) + "\n");
    }

    private Path settings(String seal) throws IOException {
        return Files.writeString(
                directory.resolve("semel.yaml"),
                "store: 'rocksdb:" + directory.resolve("data") + "'\n" + seal.replace("DIR", directory.toString()));
    }

    private HttpResponse<String> pay(String seal, String key) throws Exception {
        Settings settings = SettingsReader.read(
                settings(seal), new Overrides("127.0.0.1:" + port, "127.0.0.1:0", null, List.of(), origin.url()));
        try (RunningGateway assembly = RunningGateway.start(settings, false, settings.audit())) {
            URI uri = URI.create(
                    "http://127.0.0.1:" + assembly.gateway().address().getPort() + "/pay");
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Idempotency-Key", key)
                    .POST(BodyPublishers.ofString("{}"))
                    .build();
            return client.send(request, BodyHandlers.ofString());
        }
    }

    @Test
    void answersAreReplayedAcrossARotationAndNeverStoredAsTheyAre() throws Exception {
        String before = "seal: {keys: {'2025': 'file:DIR/old'}}";
        String rotated = "seal: {keys: {'2026': 'file:DIR/new', '2025': 'file:DIR/old'}}";
        assertThat(pay("", "plain").body()).isEqualTo("card-4242 1");
        assertThat(pay(before, "a").body()).isEqualTo("card-4242 1");
        assertThat(pay(rotated, "a").body()).isEqualTo("card-4242 1");
        assertThat(pay(rotated, "b").body()).isEqualTo("card-4242 1");
        assertThat(pay("seal: {keys: {'2026': 'file:DIR/new'}}", "b").body()).isEqualTo("card-4242 1");
        assertThat(pay(rotated, "plain").body())
                .as("what was stored before there were keys")
                .isEqualTo("card-4242 1");
        assertThat(origin.effects("a")).isEqualTo(1);
    }

    @Test
    void theStoreHasNothingThatCanBeRead() throws Exception {
        pay("seal: {keys: {'2025': 'file:DIR/old'}}", "a");
        try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .doesNotContain("card-4242"));
        }
    }

    @Test
    void aMissingOrWrongKeyIsAProblemAndNothingIsRunOrLost() throws Exception {
        String right = "seal: {keys: {'2025': 'file:DIR/old'}}";
        pay(right, "a");
        for (String wrong :
                List.of("", "seal: {keys: {'2026': 'file:DIR/new'}}", "seal: {keys: {'2025': 'file:DIR/other'}}")) {
            HttpResponse<String> refused = pay(wrong, "a");
            assertThat(refused.statusCode()).as(wrong).isEqualTo(500);
            assertThat(refused.body()).contains("result-unreadable").doesNotContain("card-4242");
        }
        assertThat(pay(right, "a").body()).isEqualTo("card-4242 1");
        assertThat(origin.effects("a")).isEqualTo(1);
    }

    @Test
    void storedFingerprintsNeedTheirSecretToBeConfirmed() throws Exception {
        String secret = "fingerprintSecret: 'file:DIR/old'";
        assertThat(pay(secret, "a").body()).isEqualTo("card-4242 1");
        assertThat(pay(secret, "a").headers().firstValue("Idempotent-Replayed")).isPresent();
        for (String another : List.of("", "fingerprintSecret: 'file:DIR/other'")) {
            HttpResponse<String> refused = pay(another, "a");
            assertThat(refused.statusCode()).as(another).isEqualTo(422);
        }
        assertThat(pay(secret, "a").body()).isEqualTo("card-4242 1");
        assertThat(origin.effects("a")).isEqualTo(1);
    }

    @Test
    void answersOfAnotherVersionAreReplayedOrGoneAsTheSettingsSay() throws Exception {
        pay("version: '1'", "a");
        assertThat(pay("version: '2'", "a").body()).isEqualTo("card-4242 1");
        HttpResponse<String> gone = pay("version: '2'\nanswersOfOtherVersions: gone", "a");
        assertThat(gone.statusCode()).isEqualTo(410);
        HttpResponse<String> kept = pay(
                "version: '2'\nanswersOfOtherVersions: gone\n" + "routes: [{path: /pay, version: '1', upstream: '"
                        + origin.url() + "'}]",
                "a");
        assertThat(kept.body()).isEqualTo("card-4242 1");
        assertThat(origin.effects("a")).isEqualTo(1);
    }

    @Test
    void operatorsSeeAnAnswerWithTheSameSettingsAndAreToldWhichKeyIsMissing() throws Exception {
        pay("seal: {keys: {'2025': 'file:DIR/old'}}", "a");
        Path file = settings("seal: {keys: {'2025': 'file:DIR/old'}}");
        assertThat(semel(0, "keys", "show", "a", "--answer", "--config", "" + file))
                .contains("card-4242 1");
        settings("seal: {keys: {'2026': 'file:DIR/new'}}");
        assertThat(semel(0, "keys", "show", "a", "--config", "" + file)).contains("settled");
        assertThat(semel(1, "keys", "show", "a", "--answer", "--config", "" + file))
                .contains("sealed with key '2025'")
                .doesNotContain("Exception");
    }

    @Test
    void keysThatCannotBeReadAreSaidWithoutShowingThem() throws Exception {
        Files.writeString(directory.resolve("bad"), "!topmost!");
        Files.writeString(directory.resolve("short"), "c2VjcmV0");
        refused("seal: {keys: {a: 'file:DIR/nowhere'}}", "cannot be read from");
        refused("seal: {keys: {a: 'file:DIR/bad'}}", "The key 'a' is not Base64");
        refused("seal: {keys: {a: 'file:DIR/short'}}", "AES takes 16, 24 or 32");
        refused("seal: {keys: {a: 'env:SEMEL_NO_SUCH_KEY'}}", "in the environment as SEMEL_NO_SUCH_KEY");
        refused("seal: {keys: {a: '!topmost!'}}", "keys themselves do not belong here");
        refused("seal: {}", "seal.keys is missing");
        refused("fingerprintSecret: 'file:DIR/nowhere'", "The fingerprintSecret cannot be read from");
        refused("fingerprintSecret: 'file:DIR/bad'", "The fingerprintSecret is not Base64");
        refused("fingerprintSecret: 'file:DIR/short'", "has at least 16 bytes");
        refused("fingerprintSecret: '!topmost!'", "write file:PATH or env:NAME");
        refused("version: 'two words'", "version");
    }

    private void refused(String seal, String why) throws IOException {
        Path file = settings(seal);
        assertThat(semel(
                        2,
                        "gateway",
                        "--check",
                        "--config",
                        "" + file,
                        "--upstream",
                        origin.url(),
                        "--listen",
                        "127.0.0.1:0",
                        "--admin",
                        "127.0.0.1:0"))
                .contains(why)
                .doesNotContain("topmost", "c2VjcmV0");
    }
}
