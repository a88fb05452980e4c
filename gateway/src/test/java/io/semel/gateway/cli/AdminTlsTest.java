// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static io.semel.gateway.cli.Typed.semel;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.Certificates;
import io.semel.gateway.CountingService;
import io.semel.gateway.RawHttp;
import io.semel.gateway.RunningProgram;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The admin port with certificates of its own, from outside. */
@Timeout(120)
class AdminTlsTest {

    @TempDir
    private static Path directory;

    private static final CountingService ORIGIN = new CountingService();
    private static Certificates own;
    private static Certificates other;
    private static RunningProgram gateway;
    private static String admin;
    private static String url;

    @BeforeAll
    static void start() throws Exception {
        own = new Certificates(directory, "admin");
        other = new Certificates(directory, "other");
        Path settings = Files.writeString(
                directory.resolve("semel.yaml"),
                "listen: 127.0.0.1:0\nadmin: 127.0.0.1:0\nadminToken: hush\nstore: 'memory:'\nupstream: " + ORIGIN.url()
                        + "\nadminTls: {certificate: '" + own.certificate + "', key: '" + own.key + "'}\n");
        gateway = RunningProgram.semel(directory, "gateway", "--config", settings.toString());
        gateway.await("Ready");
        admin = gateway.await("Admin: +(https://\\S+)").group(1);
        url = gateway.await("gateway on (http://\\S+)").group(1);
    }

    @AfterAll
    static void stop() {
        gateway.close();
        ORIGIN.close();
    }

    @Test
    void commandsAskByHttpsAndTrustWhomTheyAreTold() throws Exception {
        HttpRequest payment = HttpRequest.newBuilder(URI.create(url + "/pay"))
                .header("Idempotency-Key", "paid")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        HttpClient.newHttpClient().send(payment, BodyHandlers.discarding());

        String trust = own.certificate.toString();
        assertThat(semel(0, "keys", "show", "paid", "--admin", admin, "--admin-token", "hush", "--admin-trust", trust))
                .contains("paid");
        String address = admin.replace("https://", "");
        assertThat(semel(0, "doctor", "--admin", address, "--admin-token", "hush", "--admin-trust", trust))
                .contains("The store answers");
        assertThat(semel(1, "keys", "list", "--admin", admin, "--admin-trust", trust))
                .contains("admin token");
    }

    @Test
    void aGatewayThatIsNotTrustedIsNotTold() {
        for (String[] trust : new String[][] {{}, {"--admin-trust", other.certificate.toString()}}) {
            String[] args = new String[6 + trust.length];
            System.arraycopy(new String[] {"keys", "list", "--admin", admin, "--admin-token", "hush"}, 0, args, 0, 6);
            System.arraycopy(trust, 0, args, 6, trust.length);

            assertThat(semel(1, args)).contains("is not trusted").contains("--admin-trust");
        }
    }

    @Test
    void whatIsNotACertificateIsSaid() throws Exception {
        Path none = Files.writeString(directory.resolve("none.pem"), "none");
        assertThat(semel(2, "keys", "list", "--admin", admin, "--admin-trust", none.toString()))
                .contains("certificate");
    }

    @Test
    void whoeverSpeaksInTheClearIsToldToUseTls() throws Exception {
        int port = URI.create(admin).getPort();
        assertThat(RawHttp.send(port, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("HTTPS");
        assertThat(semel(1, "keys", "list", "--admin", "127.0.0.1:" + port, "--admin-token", "hush"))
                .contains("This port requires HTTPS");
    }

    @Test
    void healthAndMetricsAreServedByHttps() throws Exception {
        HttpClient client =
                HttpClient.newBuilder().sslContext(other.trusting(own)).build();
        HttpRequest health =
                HttpRequest.newBuilder(URI.create(admin + "/health")).build();
        HttpRequest metrics = HttpRequest.newBuilder(URI.create(admin + "/metrics"))
                .header("Authorization", "Bearer hush")
                .build();

        assertThat(client.send(health, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        assertThat(client.send(metrics, BodyHandlers.ofString()).body()).contains("semel_gateway");
    }

    @Test
    void thereAreNoClientCertificatesOnTheAdminPort() throws Exception {
        Path settings = Files.writeString(
                directory.resolve("trust.yaml"),
                "upstream: http://x\nadminTls: {certificate: a.pem, key: a.key, trust: clients.pem}\n");
        assertThat(semel(2, "gateway", "--check", "--config", settings.toString()))
                .contains("there is no field 'adminTls.trust'");
    }
}
