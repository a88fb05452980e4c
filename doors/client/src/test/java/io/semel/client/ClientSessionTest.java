// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.client.Payments.Weather;
import io.semel.client.Result.Answered;
import io.semel.client.Result.NotSent;
import io.semel.client.Result.Refused;
import io.semel.client.Result.Unknown;
import io.semel.http.HttpSessions;
import io.semel.session.MemorySessions;
import io.semel.session.Session.Mode;
import io.semel.testkit.ManualTime;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of the client with a real server and a network that fails. */
class ClientSessionTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final RetryPolicy RETRIES = RetryPolicy.standard()
            .deadline(Duration.ofSeconds(30))
            .pauses(Duration.ofMillis(1), Duration.ofMillis(10))
            .budget(10_000, 1);

    private final ManualTime time = new ManualTime();
    private final MemorySessions store = new MemorySessions(10, time);
    private final HttpSessions sessions = HttpSessions.on(store).window(4).lease(LEASE);
    private final List<ClientEvent> events = new CopyOnWriteArrayList<>();
    private final RetryingClient client =
            RetryingClient.over(HttpClient.newHttpClient()).with(RETRIES).listener(events::add);
    /** Gives up at once, so that what is lost ends as unknown. */
    private final RetryingClient resigned = client.with(RETRIES.budget(0, 0));

    @Test
    void numbersCountFromOneAndTheMarkFollowsTheAnswers() throws Exception {
        try (Payments payments = payments((key, attempt) -> Weather.FINE);
                ClientSession session = open(client, payments)) {
            for (int i = 0; i < 10; i++) {
                assertThat(session.send(payments.pay(i))).isInstanceOf(Answered.class);
            }

            assertThat(payments.places)
                    .hasSize(10)
                    .startsWith("1 from 1", "2 from 2")
                    .endsWith("10 from 10");
            assertThat(store.countSessions().requests()).isEqualTo(1);
            assertThat(session.outstanding()).isEmpty();
        }
        assertThat(store.countSessions().sessions()).isZero();
    }

    @Test
    void case83_whatGotNoAnswerIsSentAgainUnderTheSameNumberAndMark() throws Exception {
        for (Weather lost : List.of(Weather.SILENT_AFTER, Weather.LOST_AFTER, Weather.TORN_AFTER)) {
            try (Payments payments = payments((key, attempt) -> attempt == 1 ? lost : Weather.FINE);
                    ClientSession session =
                            open(client.with(RETRIES.attemptTimeout(Duration.ofSeconds(1))), payments)) {
                Answered answered = (Answered) session.send(payments.pay(500));

                assertThat(answered.replayed()).isTrue();
                assertThat(payments.places).hasSizeGreaterThan(1).containsOnly("1 from 1");
                assertThat(payments.effects.get(answered.key())).hasValue(1);
            }
        }
    }

    @Test
    void case83_onlyADefiniteAnswerMovesTheMark() throws Exception {
        try (Payments payments = payments(
                        (key, attempt) -> key.endsWith("/1") && attempt == 1 ? Weather.LOST_AFTER : Weather.FINE);
                ClientSession session = open(resigned, payments)) {
            Result lost = session.send(payments.pay(1));
            assertThat(lost).isInstanceOf(Unknown.class);
            assertThat(session.send(payments.pay(2))).isInstanceOf(Answered.class);
            assertThat(session.outstanding()).extracting(Intent::key).containsExactly(lost.key());

            Answered found = (Answered) session.again(lost.key()).get(30, TimeUnit.SECONDS);
            session.send(payments.pay(3));

            assertThat(found.replayed()).isTrue();
            assertThat(payments.places).containsExactly("1 from 1", "2 from 1", "1 from 1", "3 from 3");
            assertThat(payments.effects.get(lost.key())).hasValue(1);
        }
    }

    @Test
    void whatIsGivenUpIsNotWaitedFor() throws Exception {
        try (Payments payments = payments((key, attempt) -> key.endsWith("/1") ? Weather.LOST_BEFORE : Weather.FINE);
                ClientSession session = open(resigned, payments)) {
            Result lost = session.send(payments.pay(1));
            session.giveUp(lost.key());
            session.send(payments.pay(2));

            assertThat(payments.places).containsExactly("1 from 1", "2 from 2");
            assertThatThrownBy(() -> session.again(lost.key())).hasMessageContaining(lost.key());
        }
    }

    @Test
    void case74_whereTheWindowIsFullOneCallerWaitsAndTheOtherIsTold() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (Payments payments = payments((key, attempt) -> key.endsWith("/1") ? Weather.LOST_AFTER : Weather.FINE);
                ClientSession session = open(resigned, payments)) {
            Result lost = session.send(payments.pay(1));
            for (int i = 2; i <= 4; i++) {
                assertThat(session.send(payments.pay(i))).isInstanceOf(Answered.class);
            }

            assertThat(stop(session.sendAsync(payments.pay(5)).join())).isEqualTo(StopReason.WINDOW_FULL);
            Future<Result> waiting = threads.submit(() -> session.send(payments.pay(5)));
            session.giveUp(lost.key());

            assertThat(waiting.get(30, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
            assertThat(payments.places).endsWith("4 from 1", "5 from 5");
            assertThat(store.countSessions().requests()).isLessThanOrEqualTo(4);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aCallThatIsCancelledStaysOutstanding() throws Exception {
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        try (Payments payments = payments((key, attempt) -> {
                    arrived.complete(null);
                    return attempt == 1 ? Weather.SILENT_BEFORE : Weather.FINE;
                });
                ClientSession session = open(client, payments)) {
            CompletableFuture<Result> cancelled = session.sendAsync(payments.pay(1));
            arrived.get(30, TimeUnit.SECONDS);
            cancelled.cancel(true);
            String key = session.outstanding().get(0).key();

            assertThat(session.again(key).get(30, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
            assertThat(session.outstanding()).isEmpty();
        }
    }

    @Test
    void everyNumberHasOneEffectWhateverTheWeather() throws Exception {
        int callers = 6;
        int each = 12;
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try (Payments payments = payments(ClientSessionTest::foul);
                ClientSession session = open(client, payments)) {
            List<Callable<List<Result>>> work = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                work.add(() -> {
                    List<Result> results = new ArrayList<>();
                    for (int j = 0; j < each; j++) {
                        results.add(session.send(payments.pay(j)));
                    }
                    return results;
                });
            }
            for (Future<List<Result>> done : threads.invokeAll(work)) {
                for (Result result : done.get()) {
                    assertThat(result).isInstanceOf(Answered.class);
                    assertThat(((Answered) result).response().body())
                            .asString(UTF_8)
                            .isEqualTo("payment 1 of " + result.key());
                    assertThat(payments.effects.get(result.key())).hasValue(1);
                }
            }
            assertThat(payments.effects).hasSize(callers * each);
            assertThat(store.countSessions().requests()).isLessThanOrEqualTo(4);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Weather foul(String key, int attempt) {
        List<Weather> all =
                List.of(Weather.FINE, Weather.LOST_BEFORE, Weather.LOST_AFTER, Weather.TORN_AFTER, Weather.BAD_GATEWAY);
        int number = Integer.parseInt(key.substring(key.indexOf('/') + 1));
        return attempt > 3 ? Weather.FINE : all.get(new Random(number * 31L + attempt).nextInt(all.size()));
    }

    @Test
    void whereOrderIsDemandedOneGoesAfterTheOther() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (Payments payments = new Payments(sessions.mode(Mode.STRICT), (key, attempt) -> Weather.FINE);
                ClientSession session = open(client, payments)) {
            List<Callable<Result>> work = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                int cents = i;
                work.add(() -> session.send(payments.pay(cents)));
            }
            for (Future<Result> done : threads.invokeAll(work)) {
                assertThat(done.get()).isInstanceOf(Answered.class);
            }

            assertThat(payments.places).hasSize(12).endsWith("12 from 12");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aLostSessionTellsWhatIsUnknownAndSendsNothingAnew() throws Exception {
        try (Payments payments = payments(
                        (key, attempt) -> key.endsWith("/1") && attempt == 1 ? Weather.LOST_AFTER : Weather.FINE);
                ClientSession session = open(resigned, payments)) {
            Result lost = session.send(payments.pay(1));
            session.send(payments.pay(2));
            time.advance(LEASE);

            Result late = session.send(payments.pay(3));
            assertThat(late).isInstanceOf(Refused.class);
            assertThat(((Refused) late).problem()).isEqualTo(ProblemType.SESSION_EXPIRED);
            assertThat(session.isOver()).isTrue();
            assertThat(session.outstanding()).extracting(Intent::key).containsExactly(lost.key());
            assertThat(events)
                    .contains(new ClientEvent.SessionLost(
                            lost.key().substring(0, lost.key().indexOf('/')), ProblemType.SESSION_EXPIRED));

            assertThat(session.again(lost.key()).get(30, TimeUnit.SECONDS)).isInstanceOf(Unknown.class);
            assertThat(stop(session.send(payments.pay(4)))).isEqualTo(StopReason.SESSION_OVER);
            assertThat(payments.effects).hasSize(2);
            assertThat(store.countSessions().sessions()).isZero();
        }
    }

    @Test
    void case80_aSessionIsKeptAliveWhileNothingIsSent() throws Exception {
        Duration lease = Duration.ofMillis(600);
        try (Payments payments = new Payments(sessions.lease(lease), (key, attempt) -> Weather.FINE);
                ClientSession session = open(client, payments)) {
            session.send(payments.pay(1));
            String mark = "";
            for (int i = 0; i < 9; i++) {
                // What came while this thread was held up has been counted by the store's clock as it was then.
                payments.keptAlive.clear();
                mark = payments.keptAlive.poll(30, TimeUnit.SECONDS);
                time.advance(lease.dividedBy(3));
            }

            assertThat(mark).isEqualTo("2");
            assertThat(session.send(payments.pay(2))).isInstanceOf(Answered.class);
            assertThat(events).noneMatch(ClientEvent.SessionLost.class::isInstance);
        }
    }

    @Test
    void aHeartbeatNoticesThatTheSessionIsLost() throws Exception {
        CompletableFuture<ClientEvent> told = new CompletableFuture<>();
        RetryingClient listening = client.listener(event -> {
            if (event instanceof ClientEvent.SessionLost) {
                told.complete(event);
            }
        });
        try (Payments payments = new Payments(sessions.lease(Duration.ofMillis(900)), (key, attempt) -> Weather.FINE);
                ClientSession session = open(listening, payments)) {
            time.advance(LEASE);

            assertThat(told.get(30, TimeUnit.SECONDS)).isInstanceOf(ClientEvent.SessionLost.class);
            assertThat(session.isOver()).isTrue();
        }
    }

    @Test
    void whatARestartInterruptedIsFinishedUnderItsOldNumber(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("intents");
        try (Payments payments = payments((key, attempt) -> attempt == 1 ? Weather.LOST_AFTER : Weather.FINE)) {
            ClientSession killed;
            String key;
            try (FileIntentJournal intents = FileIntentJournal.open(file)) {
                killed = open(resigned.journal(intents), payments);
                key = killed.send(payments.pay(1)).key();
            }
            try (FileIntentJournal intents = FileIntentJournal.open(file)) {
                List<Result> finished = client.journal(intents)
                        .resume(ClientSessionTest::signed)
                        .get(30, TimeUnit.SECONDS);

                assertThat(finished).singleElement().isInstanceOf(Answered.class);
                assertThat(finished.get(0).key()).isEqualTo(key);
                assertThat(payments.places).containsExactly("1 from 1", "1 from 1");
                assertThat(payments.effects.get(key)).hasValue(1);
                assertThat(intents.unfinished()).isEmpty();
            }
            killed.close();
        }
    }

    @Test
    void whatARestartCameTooLateForIsReportedAndKept(@TempDir Path directory) throws Exception {
        try (Payments payments = payments((key, attempt) -> attempt == 1 ? Weather.LOST_AFTER : Weather.FINE);
                FileIntentJournal intents = FileIntentJournal.open(directory.resolve("intents"))) {
            ClientSession late = open(resigned.journal(intents), payments);
            String key = late.send(payments.pay(1)).key();
            time.advance(LEASE);

            List<Result> finished =
                    client.journal(intents).resume(ClientSessionTest::signed).get(30, TimeUnit.SECONDS);

            assertThat(finished).singleElement().isInstanceOf(Unknown.class);
            assertThat(intents.unfinished()).extracting(Intent::key).containsExactly(key);
            assertThat(payments.effects.get(key)).hasValue(1);
            late.close();
        }
    }

    @Test
    void whoHasAsManySessionsAsItMayWaitsUntilOneHasEnded() throws Exception {
        CompletableFuture<ClientSession> second = new CompletableFuture<>();
        try (Payments payments = new Payments(sessions.mostOfCaller(1), (key, attempt) -> Weather.FINE)) {
            ClientSession first = open(client, payments);
            Thread opening = new Thread(() -> {
                try {
                    second.complete(open(client, payments));
                } catch (IOException e) {
                    second.completeExceptionally(e);
                }
            });
            opening.start();
            assertThat(payments.refusals.poll(30, TimeUnit.SECONDS)).hasToString("TOO_MANY_SESSIONS");
            first.close();

            try (ClientSession session = second.get(30, TimeUnit.SECONDS)) {
                assertThat(session.send(payments.pay(1))).isInstanceOf(Answered.class);
            }
            opening.join();
        }
    }

    @Test
    void callsThatAreSubmittedWaitForAPlaceWithoutAThread() throws Exception {
        try (Payments payments = payments((key, attempt) -> Weather.FINE);
                ClientSession session = open(client, payments)) {
            List<CompletableFuture<Result>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(session.submit(payments.pay(i)));
            }

            for (CompletableFuture<Result> each : all) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
            }
            assertThat(payments.effects).hasSize(20);
            assertThatThrownBy(() -> session.submit(payments.pay(1).header("Idempotency-Key", "mine"))
                            .get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aServiceThatMakesNoSessionIsAnError() throws Exception {
        try (Server without = Server.doing(Server.Act.answer(404, ""));
                Payments full = new Payments(HttpSessions.on(new MemorySessions(0)), (key, attempt) -> Weather.FINE);
                Server odd = Server.doing(Server.Act.answer(201, "{\"id\":\"a b\",\"leaseMillis\":1,\"window\":1}"))) {
            assertThatThrownBy(() -> ClientSession.open(client, without.uri("/.semel/sessions"), intent -> intent))
                    .hasMessageContaining("status 404");
            assertThatThrownBy(() -> open(client.with(RETRIES.deadline(Duration.ofSeconds(1))), full))
                    .hasMessageContaining("SESSIONS_FULL");
            assertThatThrownBy(() -> ClientSession.open(client, odd.uri("/.semel/sessions"), intent -> intent))
                    .hasMessageContaining("makes no sense");
        }
    }

    @Test
    void anIntentThatCannotBeSentTakesNoNumber() throws Exception {
        try (Payments payments = payments((key, attempt) -> Weather.FINE);
                ClientSession session = open(client, payments)) {
            Intent keyed = payments.pay(1).header("Idempotency-Key", "mine");

            assertThatThrownBy(() -> session.send(keyed)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> session.sendAsync(keyed)).isInstanceOf(IllegalArgumentException.class);
            assertThat(session.outstanding()).isEmpty();
        }
    }

    private static StopReason stop(Result result) {
        assertThat(result).isInstanceOf(NotSent.class);
        return ((NotSent) result).stop();
    }

    private Payments payments(BiFunction<String, Integer, Weather> weather) throws IOException {
        return new Payments(sessions, weather);
    }

    private static ClientSession open(RetryingClient through, Payments payments) throws IOException {
        return ClientSession.open(through, payments.uri("/.semel/sessions"), ClientSessionTest::signed);
    }

    /** Every request shows it, or the service takes its session for somebody else's. */
    private static Intent signed(Intent intent) {
        return intent.header("Authorization", "Bearer alice");
    }
}
