// SPDX-License-Identifier: Apache-2.0
package io.semel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CombinerTest {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ConcurrentLinkedQueue<List<String>> trips = new ConcurrentLinkedQueue<>();
    private final Semaphore left = new Semaphore(0);
    private final Semaphore mayArrive = new Semaphore(0);

    @AfterEach
    void stop() throws InterruptedException {
        mayArrive.release(1_000_000);
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whoAsksAnIdleBackendLeavesAtOnceAndAlone() {
        mayArrive.release();

        assertThat(combiner(1, 10).ask("a")).isEqualTo("A");

        assertThat(trips).containsExactly(List.of("a"));
    }

    @Test
    void whoComesDuringATripGoesTogetherWithAllOthersOnTheNext() {
        Combiner<String, String> combiner = combiner(1, 10);
        List<CompletableFuture<String>> answers = askOneByOne(combiner, "a", "b", "c", "d");

        mayArrive.release(2);

        assertThat(answers.stream().map(CompletableFuture::join)).containsExactly("A", "B", "C", "D");
        assertThat(trips).containsExactly(List.of("a"), List.of("b", "c", "d"));
    }

    @Test
    void noTripCarriesMoreThanItMay() {
        Combiner<String, String> combiner = combiner(1, 2);
        List<CompletableFuture<String>> answers = askOneByOne(combiner, "a", "b", "c", "d");

        mayArrive.release(3);

        assertThat(answers.stream().map(CompletableFuture::join)).containsExactly("A", "B", "C", "D");
        assertThat(trips).containsExactly(List.of("a"), List.of("b", "c"), List.of("d"));
    }

    @Test
    void twoQuestionsAboutTheSameNeverShareATrip() {
        Combiner<String, String> combiner = combiner(1, 10);
        List<CompletableFuture<String>> answers = askOneByOne(combiner, "a", "b1", "b2", "c", "b3");

        mayArrive.release(4);

        assertThat(answers.stream().map(CompletableFuture::join)).containsExactly("A", "B1", "B2", "C", "B3");
        assertThat(trips).containsExactly(List.of("a"), List.of("b1", "c"), List.of("b2"), List.of("b3"));
    }

    @Test
    void asManyTripsAreUnderWayAsThereAreLanes() {
        Combiner<String, String> combiner = combiner(2, 10);
        List<CompletableFuture<String>> answers = askOneByOne(combiner, "a", "b");

        left.acquireUninterruptibly(2);
        mayArrive.release(2);

        assertThat(answers.stream().map(CompletableFuture::join)).containsExactly("A", "B");
        assertThat(trips).containsExactlyInAnyOrder(List.of("a"), List.of("b"));
    }

    @Test
    void everybodyOnATripThatFailedIsToldWithAnExceptionOfTheirOwn() {
        Combiner<String, String> combiner = failing(() -> StoreException.changedNothing("It is full.", null));
        List<CompletableFuture<String>> answers = askOneByOne(combiner, "a", "b", "c");

        mayArrive.release(2);

        List<Throwable> failures = answers.stream().map(CombinerTest::failure).toList();
        assertThat(failures)
                .doesNotHaveDuplicates()
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.changedNothing()).isTrue())
                        .hasMessageContaining("It is full."));
    }

    @Test
    void aTripThatDoesNotKnowLeavesNobodyWithCertainty() {
        Combiner<String, String> combiner = failing(() -> new StoreException("The connection was cut.", null));
        List<CompletableFuture<String>> answers = askOneByOne(combiner, "a", "b", "c");

        mayArrive.release(2);

        assertThat(answers.stream().map(CombinerTest::failure))
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.changedNothing()).isFalse()));
    }

    @Test
    void afterAFailureTheNextOneTravelsAgain() {
        Combiner<String, String> combiner = new Combiner<>(1, 10, q -> q, questions -> {
            if (trips.add(questions) && trips.size() == 1) {
                throw new OutOfMemoryError("This is a test.");
            }
            return questions;
        });

        assertThatThrownBy(() -> combiner.ask("a")).isInstanceOf(OutOfMemoryError.class);
        assertThat(combiner.ask("b")).isEqualTo("b");
    }

    @Test
    void aTripThatBringsTooFewAnswersIsAFault() {
        Combiner<String, String> combiner = new Combiner<>(1, 10, q -> q, questions -> List.of());

        assertThatThrownBy(() -> combiner.ask("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("A trip with 1 questions brought 0 answers.");
    }

    @Test
    void anInterruptLosesNoAnswerAndIsNotForgotten() throws Exception {
        Combiner<String, String> combiner = combiner(1, 10);
        CompletableFuture<String> first = askOneByOne(combiner, "a").get(0);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread waits = new Thread(() -> {
            combiner.ask("b");
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        waits.start();
        awaitParked(waits);

        waits.interrupt();
        mayArrive.release(2);

        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(first.join()).isEqualTo("A");
        waits.join();
    }

    @Test
    void underLoadEveryQuestionGetsItsOwnAnswerOnce() {
        Combiner<Integer, Integer> combiner = new Combiner<>(
                2, 7, q -> q % 50, questions -> questions.stream().map(q -> -q).toList());
        CountDownLatch start = new CountDownLatch(1);
        List<CompletableFuture<Void>> runs = IntStream.range(0, 16)
                .mapToObj(thread -> CompletableFuture.runAsync(
                        () -> {
                            awaitQuietly(start);
                            for (int i = 0; i < 5_000; i++) {
                                int question = thread * 5_000 + i;
                                assertThat(combiner.ask(question)).isEqualTo(-question);
                            }
                        },
                        threads))
                .toList();

        start.countDown();

        runs.forEach(CompletableFuture::join);
    }

    @Test
    void whoWaitsTooLongForATripOfOthersWasNotAsked() {
        Combiner<String, String> combiner = combiner(1, 10, Duration.ofMillis(300));
        List<CompletableFuture<String>> answers = askOneByOne(combiner, "a", "b", "c");

        for (CompletableFuture<String> late : answers.subList(1, 3)) {
            assertThat(failure(late))
                    .isInstanceOfSatisfying(StoreException.class, e -> {
                        assertThat(e.changedNothing()).isTrue();
                        assertThat(e.isUnreachable()).isFalse();
                    })
                    .hasMessageContaining("was not sent");
        }
        mayArrive.release(2);
        assertThat(answers.get(0).join()).isEqualTo("A");
        assertThat(combiner.ask("d")).isEqualTo("D");
        assertThat(trips).containsExactly(List.of("a"), List.of("d"));
    }

    @Test
    void whoIsOnATripThatIsStuckDoesNotKnow() {
        Combiner<String, String> combiner = combiner(1, 10, Duration.ofSeconds(2));
        List<CompletableFuture<String>> answers = askOneByOne(combiner, "a", "b", "c");
        mayArrive.release();
        left.acquireUninterruptibly(2);

        assertThat(failure(answers.get(2)))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.changedNothing()).isFalse());
        mayArrive.release();
        assertThat(answers.get(1).join()).isEqualTo("B");
        mayArrive.release();
        assertThat(combiner.ask("d")).isEqualTo("D");
    }

    @Test
    void aCombinerWithoutLanesOrRoomIsRefused() {
        assertThatThrownBy(() -> new Combiner<String, String>(0, 1, q -> q, q -> q))
                .hasMessage("A combiner needs at least one lane and one question a trip, not 0 and 1.");
        assertThatThrownBy(() -> new Combiner<String, String>(1, 0, q -> q, q -> q))
                .hasMessage("A combiner needs at least one lane and one question a trip, not 1 and 0.");
    }

    /** Answers in capitals, each trip when it may; a question is about its first letter. */
    private Combiner<String, String> combiner(int lanes, int most) {
        return new Combiner<>(lanes, most, q -> q.charAt(0), this::answer);
    }

    private Combiner<String, String> combiner(int lanes, int most, Duration patience) {
        return new Combiner<>(lanes, most, q -> q.charAt(0), this::answer, patience);
    }

    private List<String> answer(List<String> questions) {
        trips.add(questions);
        left.release();
        mayArrive.acquireUninterruptibly();
        return questions.stream().map(q -> q.toUpperCase(Locale.ROOT)).toList();
    }

    private Combiner<String, String> failing(Supplier<StoreException> failure) {
        return new Combiner<>(1, 10, q -> q, questions -> {
            mayArrive.acquireUninterruptibly();
            throw failure.get();
        });
    }

    /** Each question is on its way, or waits, before the next is asked. */
    private List<CompletableFuture<String>> askOneByOne(Combiner<String, String> combiner, String... questions) {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (String question : questions) {
            CompletableFuture<Thread> asker = new CompletableFuture<>();
            answers.add(CompletableFuture.supplyAsync(
                    () -> {
                        asker.complete(Thread.currentThread());
                        return combiner.ask(question);
                    },
                    threads));
            awaitParked(asker.join());
        }
        return answers;
    }

    private static void awaitParked(Thread thread) {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Throwable failure(CompletableFuture<String> answer) {
        try {
            throw new AssertionError("An answer came: " + answer.join());
        } catch (CompletionException e) {
            return e.getCause();
        }
    }
}
