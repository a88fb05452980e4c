// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.semel.gateway.CountingService;
import io.semel.gateway.GatewayChecks;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreBatcherTest {

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final Deque<Runnable> leaving = new ConcurrentLinkedDeque<>();
    private final List<List<String>> trips = new ArrayList<>();
    private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void whatComesBeforeItLeavesGoesTogetherAndArrivesInItsOrder() throws InterruptedException {
        StoreBatcher<String, String> shuttle = new StoreBatcher<>(leaving::add, this::answer);
        ask(shuttle, "a", "b", "c");
        assertThat(leaving).hasSize(1);
        assertThat(shuttle.waiting()).isEqualTo(3);

        leaving.remove().run();

        assertThat(trips).containsExactly(List.of("a", "b", "c"));
        assertThat(arrivals(3)).containsExactly("answer to a", "answer to b", "answer to c");
        assertThat(shuttle.waiting()).isZero();
    }

    @Test
    void whatComesWhileItIsAwayGoesWithTheNextTrip() throws InterruptedException {
        List<String> late = new ArrayList<>(List.of("late", "later"));
        List<StoreBatcher<String, String>> self = new ArrayList<>();
        StoreBatcher<String, String> shuttle = new StoreBatcher<>(leaving::add, questions -> {
            late.forEach(each -> ask(self.get(0), each));
            late.clear();
            return answer(questions);
        });
        self.add(shuttle);
        ask(shuttle, "a");

        leaving.remove().run();

        assertThat(leaving).isEmpty();
        assertThat(trips).containsExactly(List.of("a"), List.of("late", "later"));
        assertThat(arrivals(3)).containsExactly("answer to a", "answer to late", "answer to later");
        ask(shuttle, "another");
        assertThat(leaving).hasSize(1);
    }

    @Test
    void anAnswerThatComesLaterHoldsUpNobody() throws InterruptedException {
        CompletableFuture<String> slow = new CompletableFuture<>();
        StoreBatcher<String, String> shuttle = new StoreBatcher<>(
                leaving::add, questions -> List.of(slow, CompletableFuture.completedFuture("quick")));
        ask(shuttle, "a", "b");

        leaving.remove().run();
        assertThat(arrivals(1)).containsExactly("quick");
        slow.complete("slow");
        assertThat(arrivals(1)).containsExactly("slow");
    }

    @Test
    void everybodyHearsOfATripThatFails() throws InterruptedException {
        StoreBatcher<String, String> shuttle = new StoreBatcher<>(leaving::add, questions -> {
            throw new IllegalStateException("lost");
        });
        ask(shuttle, "a", "b");

        leaving.remove().run();

        assertThat(arrivals(2)).containsExactly("lost", "lost");
        ask(shuttle, "c");
        assertThat(leaving).hasSize(1);
    }

    @Test
    void aFailureIsToldAsItIs() throws InterruptedException {
        StoreBatcher<String, String> shuttle = new StoreBatcher<>(
                leaving::add, questions -> List.of(CompletableFuture.failedFuture(new IllegalStateException("own"))));
        ask(shuttle, "a");

        leaving.remove().run();

        assertThat(arrivals(1)).containsExactly("own");
    }

    @Test
    void whoeverCannotTakeItsAnswerHearsOfThatAndHoldsUpNobody() throws InterruptedException {
        StoreBatcher<String, String> shuttle = new StoreBatcher<>(leaving::add, this::answer);
        shuttle.ask(
                loop,
                "a",
                answer -> {
                    throw new IllegalStateException("cannot take it");
                },
                failure -> {
                    arrive(failure.getMessage());
                    throw new IllegalStateException("nor this");
                });
        ask(shuttle, "b");

        leaving.remove().run();

        assertThat(arrivals(2)).containsExactly("cannot take it", "answer to b");
    }

    @Test
    void answersThatAreTooFewAreAFailureForAll() throws InterruptedException {
        StoreBatcher<String, String> shuttle =
                new StoreBatcher<>(leaving::add, questions -> List.of(CompletableFuture.completedFuture("one")));
        ask(shuttle, "a", "b");

        leaving.remove().run();

        assertThat(arrivals(2)).containsOnly("2 questions had 1 answers.");
        ask(shuttle, "c");
        assertThat(leaving).hasSize(1);
    }

    @Test
    void whoeverAsksWhenThereAreNoMoreTripsIsTold() throws InterruptedException {
        StoreBatcher<String, String> shuttle = new StoreBatcher<>(
                leave -> {
                    throw new RejectedExecutionException("closed");
                },
                this::answer);
        ask(shuttle, "a", "b");

        assertThat(arrivals(2)).containsExactly("closed", "closed");
        assertThat(shuttle.waiting()).isZero();
    }

    @Test
    void afterAThreadThatCouldNotBeHadItLeavesAgain() throws InterruptedException {
        List<Error> none = new ArrayList<>(List.of(new OutOfMemoryError("no thread")));
        StoreBatcher<String, String> shuttle = new StoreBatcher<>(
                task -> {
                    if (!none.isEmpty()) {
                        throw none.remove(0);
                    }
                    leaving.add(task);
                },
                this::answer);
        ask(shuttle, "a");
        assertThat(arrivals(1)).containsExactly("no thread");

        ask(shuttle, "b");
        leaving.remove().run();

        assertThat(arrivals(1)).containsExactly("answer to b");
    }

    private void ask(StoreBatcher<String, String> shuttle, String... questions) {
        for (String each : questions) {
            shuttle.ask(loop, each, this::arrive, failure -> arrive(failure.getMessage()));
        }
    }

    private void arrive(String answer) {
        assertThat(loop.inEventLoop()).isTrue();
        arrived.add(answer);
    }

    private List<CompletableFuture<String>> answer(List<String> questions) {
        trips.add(questions);
        return questions.stream()
                .map(each -> CompletableFuture.completedFuture("answer to " + each))
                .toList();
    }

    private List<String> arrivals(int count) throws InterruptedException {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(arrived.poll(10, TimeUnit.SECONDS));
        }
        return all;
    }

    @Test
    void noMoreIsOnItsWayThanMayBeHeld() throws InterruptedException {
        StoreBatcher<String, String> shuttle = new StoreBatcher<>(leaving::add, this::answer, 25);
        CountDownLatch busy = new CountDownLatch(1);
        loop.execute(() -> CountingService.await(busy));
        for (String each : List.of("a", "b", "c", "heavy")) {
            shuttle.ask(
                    loop, each, each.equals("heavy") ? 100 : 10, this::arrive, failure -> arrive(failure.getMessage()));
        }

        leaving.remove().run();
        assertThat(trips).containsExactly(List.of("a", "b"));
        busy.countDown();
        assertThat(arrivals(2)).containsExactly("answer to a", "answer to b");
        GatewayChecks.await("it leaves again", () -> !leaving.isEmpty());
        leaving.remove().run();
        assertThat(arrivals(1)).containsExactly("answer to c");
        // If the first had arrived by then, the last left with it.
        GatewayChecks.await("it leaves again", () -> !leaving.isEmpty() || trips.size() == 3);
        leaving.forEach(Runnable::run);

        assertThat(arrivals(1)).containsExactly("answer to heavy");
        assertThat(trips).containsExactly(List.of("a", "b"), List.of("c"), List.of("heavy"));
    }
}
