// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.client.Result.Answered;
import io.semel.client.Result.Unknown;
import io.semel.client.Server.Act;
import io.semel.client.Server.Received;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumeTest {

    private static final RetryPolicy FEW = RetryPolicy.standard()
            .pauses(Duration.ofMillis(1), Duration.ofMillis(10))
            .budget(1, 0);

    @TempDir
    Path directory;

    private FileIntentJournal intents;
    private RetryingClient client;

    @BeforeEach
    void open() throws IOException {
        intents = FileIntentJournal.open(directory.resolve("intents"));
        client = RetryingClient.over(HttpClient.newHttpClient()).with(FEW).journal(intents, "X-Api-Version");
    }

    @AfterEach
    void close() throws IOException {
        intents.close();
    }

    @Test
    void aKilledClientsRequestIsSentAgainUnderTheSameKeyByTheNext() throws Exception {
        intents.close();
        CountDownLatch arrived = new CountDownLatch(1);
        try (Server server = Server.deciding((number, request) -> {
            arrived.countDown();
            return number == 0 ? Act.silence() : Act.answer(201, "paid", "Idempotent-Replayed: true");
        })) {
            Process victim = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Victim.class.getName(),
                            directory.resolve("intents").toString(),
                            server.uri("/payments").toString())
                    .inheritIO()
                    .start();
            try {
                assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
            } finally {
                victim.destroyForcibly().waitFor();
            }

            assertThat(Files.readString(directory.resolve("intents"), ISO_8859_1))
                    .contains("amountCents")
                    .doesNotContain("s3cret");
            open();
            List<Result> results = resume();

            Received first = server.received.get(0);
            Received again = server.received.get(1);
            assertThat(results).hasSize(1).first().isInstanceOf(Answered.class);
            assertThat(results.get(0).key()).isEqualTo(first.header("Idempotency-Key"));
            assertThat(again.header("Idempotency-Key")).isEqualTo(first.header("Idempotency-Key"));
            assertThat(again.line()).isEqualTo(first.line());
            assertThat(again.body()).isEqualTo(first.body()).contains("amountCents");
            assertThat(again.header("Content-Type")).isEqualTo("application/json");
            assertThat(first.header("Authorization")).isEqualTo("Bearer s3cret");
            assertThat(again.header("Authorization")).isEqualTo("Bearer fresh");
            assertThat(intents.unfinished()).isEmpty();
        }
    }

    @Test
    void whatIsKnownIsStruckOutAndWhatIsUnknownStays() throws Exception {
        try (Server server = Server.doing(Act.answer(201, "paid"), Act.problem(422, "key-reused"), Act.reset())) {
            client.send(server.pay());
            client.send(server.pay());
            Unknown unknown = (Unknown) client.send(server.pay());

            assertThat(intents.unfinished()).extracting(Intent::key).containsExactly(unknown.key());
        }
    }

    @Test
    void aCancelledCallStays() throws Exception {
        try (Server server = Server.doing(Act.silence())) {
            Intent intent = server.pay();

            client.sendAsync(intent).cancel(true);

            assertThat(intents.unfinished()).extracting(Intent::key).containsExactly(intent.key());
        }
    }

    @Test
    void credentialsAreNotWrittenDownAndWhatWasAskedForIs() throws Exception {
        try (Server server = Server.doing(Act.reset())) {
            client.send(server.pay()
                    .header("Authorization", "Bearer s3cret")
                    .header("X-Token", "s3cret")
                    .header("X-Api-Version", "7"));

            assertThat(intents.unfinished().get(0).headers())
                    .isEqualTo(Map.of("Content-Type", List.of("application/json"), "X-Api-Version", List.of("7")));
            assertThatThrownBy(() -> client.journal(intents, "AUTHORIZATION")).hasMessageContaining("is a credential");
        }
    }

    @Test
    void whatIsUnderWayIsNotSentOnceMore() throws Exception {
        try (Server server = Server.doing(Act.silence())) {
            CompletableFuture<Result> sent = client.sendAsync(server.pay());

            assertThat(resume()).isEmpty();
            sent.cancel(true);
        }
    }

    @Test
    void whatIsTooOldIsReportedAndStays() throws Exception {
        try (Server server = Server.doing(Act.answer(201, "paid"))) {
            Intent pay = server.pay();
            intents.begin(Intent.restored(
                    pay.key(),
                    pay.method(),
                    pay.uri(),
                    pay.headers(),
                    pay.body(),
                    Instant.now().minus(Duration.ofHours(25))));

            assertThat(resume()).containsExactly(new Unknown(pay.key(), 0, StopReason.TOO_OLD, null, null));
            assertThat(intents.unfinished()).hasSize(1);
            assertThat(server.received).isEmpty();
            assertThat(client.resume(intent -> intent, Duration.ofHours(26)).get(30, TimeUnit.SECONDS))
                    .hasSize(1)
                    .first()
                    .isInstanceOf(Answered.class);
        }
    }

    @Test
    void whatCannotBeReachedStaysUnknownBecauseItMayHaveBeenSentBefore() throws Exception {
        Server server = Server.doing(Act.reset());
        Intent pay = server.pay();
        intents.begin(pay);
        server.close();

        assertThat(resume()).hasSize(1).first().isInstanceOf(Unknown.class);
        assertThat(intents.unfinished()).hasSize(1);
    }

    @Test
    void oneThatCannotBeDressedDoesNotStopTheOthers() throws Exception {
        try (Server server = Server.doing(Act.answer(201, "paid"))) {
            Intent first = server.pay();
            intents.begin(first);
            intents.begin(server.pay());

            List<Result> results = client.resume(intent -> {
                        if (intent.key().equals(first.key())) {
                            throw new IllegalStateException("no token");
                        }
                        return intent;
                    })
                    .get(30, TimeUnit.SECONDS);

            assertThat(results.get(0)).isInstanceOf(Unknown.class);
            assertThat(results.get(1)).isInstanceOf(Answered.class);
        }
    }

    @Test
    void manyAreSentEightAtATime() throws Exception {
        CountDownLatch eight = new CountDownLatch(8);
        AtomicInteger together = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Act held = socket -> {
            most.accumulateAndGet(together.incrementAndGet(), Math::max);
            eight.countDown();
            await(eight);
            together.decrementAndGet();
            Act.answer(201, "paid").on(socket);
        };
        try (Server server = Server.doing(held)) {
            for (int i = 0; i < 100; i++) {
                intents.begin(server.pay());
            }
            List<String> keys = intents.unfinished().stream().map(Intent::key).toList();

            List<Result> results = resume();

            assertThat(results).extracting(Result::key).isEqualTo(keys);
            assertThat(results).allMatch(Answered.class::isInstance);
            assertThat(intents.unfinished()).isEmpty();
            assertThat(most).hasValue(8);
        }
    }

    @Test
    void withoutAJournalThereIsNothingToResume() {
        assertThatThrownBy(() -> RetryingClient.over(HttpClient.newHttpClient()).resume(intent -> intent))
                .hasMessageContaining("give the client a journal");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Result> resume() throws Exception {
        return client.resume(intent -> intent.header("Authorization", "Bearer fresh"))
                .get(30, TimeUnit.SECONDS);
    }
}
