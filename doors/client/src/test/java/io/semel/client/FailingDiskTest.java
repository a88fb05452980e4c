// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.client.FailingDisk.Step;
import io.semel.client.Server.Act;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailingDiskTest {

    private final FailingDisk disk = new FailingDisk();
    private FileIntentJournal intents;

    @TempDir
    Path directory;

    @BeforeEach
    void open() throws IOException {
        intents = FileIntentJournal.open(directory.resolve("intents"), disk);
    }

    @AfterEach
    void close() throws IOException {
        intents.close();
    }

    @Test
    void whatCannotBeWrittenDownIsNotSent() throws IOException {
        try (Server server = Server.doing(Act.answer(201, "paid"))) {
            RetryingClient client =
                    RetryingClient.over(HttpClient.newHttpClient()).journal(intents);
            disk.failing.add(Step.WRITE);

            Result.NotSent notSent = (Result.NotSent) client.send(server.pay());

            assertThat(notSent.stop()).isEqualTo(StopReason.JOURNAL);
            assertThat(notSent.failure()).hasMessageContaining("No space left");
            assertThat(server.received).isEmpty();
            disk.failing.clear();
            assertThat(client.send(server.pay())).isInstanceOf(Result.Answered.class);
        }
        assertThat(reopened()).isEmpty();
    }

    @Test
    void whatCouldNotBeStruckOutIsToldAndTheAnswerCounts() throws IOException {
        List<ClientEvent> events = new ArrayList<>();
        try (Server server = Server.deciding((number, request) -> {
            disk.failing.add(Step.WRITE);
            return Act.answer(201, "paid");
        })) {
            RetryingClient client = RetryingClient.over(HttpClient.newHttpClient())
                    .journal(intents)
                    .listener(events::add);

            Result result = client.send(server.pay());

            assertThat(result).isInstanceOf(Result.Answered.class);
            assertThat(events).hasSize(2).first().isInstanceOf(ClientEvent.NotStruckOut.class);
            disk.failing.clear();
            assertThat(reopened()).containsExactly(result.key());
        }
    }

    @Test
    void aWriteThatFailedHalfWayIsTakenBack() throws IOException {
        begin("a");
        disk.failing.add(Step.WRITE);
        assertThatThrownBy(() -> begin("b")).hasMessageContaining("No space left");
        disk.failing.clear();
        begin("c");

        assertThat(reopened()).containsExactly("a", "c");
    }

    @Test
    void aSyncThatFailedIsNotTrustedAgain() throws IOException {
        begin("a");
        disk.failing.add(Step.SYNC);
        assertThatThrownBy(() -> begin("b")).hasMessageContaining("No space left");
        disk.failing.clear();

        assertThatThrownBy(() -> begin("c")).hasMessageContaining("open it anew");
        assertThatThrownBy(() -> intents.done("a")).hasMessageContaining("open it anew");
        assertThat(reopened()).containsExactly("a");
    }

    @Test
    void aWriteThatCannotBeTakenBackEndsTheWriting() throws IOException {
        begin("a");
        disk.failing.addAll(List.of(Step.WRITE, Step.CUT));
        assertThatThrownBy(() -> begin("b")).hasMessageContaining("No space left");
        disk.failing.clear();

        assertThatThrownBy(() -> begin("c")).hasMessageContaining("open it anew");
        assertThat(reopened()).containsExactly("a");
    }

    @Test
    void aRewriteForWhichThereIsNoRoomLeavesTheOldFileInUse() throws IOException {
        disk.failing.add(Step.CREATE);
        fill();
        assertThat(intents.rewriteFailure()).isPresent();
        begin("after");
        disk.failing.clear();

        assertThat(reopened()).containsExactly("after");
        fill();
        assertThat(intents.rewriteFailure()).isEmpty();
    }

    @Test
    void aRewriteThatMayOrMayNotBeInPlaceEndsTheWriting() throws IOException {
        begin("a");
        disk.failing.add(Step.REPLACE);
        assertThatThrownBy(this::fill).hasMessageContaining("open it anew");
        disk.failing.clear();

        assertThat(intents.rewriteFailure()).isPresent();
        assertThat(reopened()).contains("a");
    }

    private void begin(String key) throws IOException {
        intents.begin(FileIntentJournalTest.intent(key, new byte[10]));
    }

    private void fill() throws IOException {
        for (int i = 0; i < 8; i++) {
            intents.begin(FileIntentJournalTest.intent("passes", new byte[300_000]));
            intents.done("passes");
        }
    }

    private List<String> reopened() throws IOException {
        intents.close();
        intents = FileIntentJournal.open(directory.resolve("intents"), disk);
        return intents.unfinished().stream().map(Intent::key).toList();
    }
}
