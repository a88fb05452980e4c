// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Outcome;
import io.semel.client.Server.Act;
import io.semel.memory.MemoryStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/client.md shows, as it stands there. */
class ClientPageTest {

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final List<Integer> used = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();

    @TempDir
    Path directory;

    @Test
    void tenLinesAreEnough() throws IOException {
        RetryingClient payments = RetryingClient.over(http);
        try (Server server = Server.doing(Act.answer(201, "paid"), Act.problem(410, "gone"))) {
            String json = "{}";
            for (int i = 0; i < 2; i++) {
                Intent pay = Intent.of(HttpRequest.newBuilder(server.uri("/payments"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json))
                        .build());

                Result result = payments.send(pay);
                if (result instanceof Result.Answered answered) {
                    use(answered.response(), answered.replayed());
                } else if (result.carriedOut() == Result.CarriedOut.UNKNOWN) {
                    askLater(result.key());
                }
            }
            assertThat(used).containsExactly(201);
            assertThat(asked).containsExactly(server.keys().get(1));
        }
    }

    @Test
    void whatTheLastProcessLeftIsResumed() throws IOException {
        try (Server server = Server.doing(Act.answer(201, "paid"));
                FileIntentJournal intents = FileIntentJournal.open(directory.resolve("intents"))) {
            intents.begin(server.pay());
            RetryingClient payments = RetryingClient.over(http).journal(intents);
            payments.resume(intent -> intent.header("Authorization", token())).join();

            assertThat(intents.unfinished()).isEmpty();
            assertThat(server.received.get(0).header("Authorization")).isEqualTo(token());
        }
    }

    @Test
    void aServiceThatIsCalledWithAKeyDerivesThoseThatItSends() throws IOException {
        RetryingClient payments = RetryingClient.over(http);
        Engine engine = Engine.on(new MemoryStore());
        Call call = Call.of(Key.of("orders", "17"), Fingerprint.of("order 17"));
        try (Server server = Server.doing(Act.answer(201, "paid"))) {
            URI uri = server.uri("/payments");
            HttpRequest request =
                    HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build();

            Outcome<String> outcome = engine.run(
                    call,
                    Codec.utf8(),
                    attempt -> payments.send(Intent.of(request).derived(attempt, "charge"))
                            .key());

            assertThat(outcome).isEqualTo(new Outcome.Done<>(server.keys().get(0), false));
        }
    }

    private void use(HttpResponse<byte[]> response, boolean replayed) {
        assertThat(replayed).isFalse();
        used.add(response.statusCode());
    }

    private void askLater(String key) {
        asked.add(key);
    }

    private static String token() {
        return "Bearer fresh";
    }
}
