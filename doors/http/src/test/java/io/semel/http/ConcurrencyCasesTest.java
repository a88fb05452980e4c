// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Engine;
import io.semel.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 29 to 33 of the profile: requests that meet each other. */
class ConcurrencyCasesTest extends PaymentService {

    private final ExecutorService clients = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        clients.shutdownNow();
    }

    @Test
    void case29_anIdenticalRequestMeanwhileIsA409WithRetryAfterAndNothingIsStoredForIt() {
        RequestDecision.Run first = (RequestDecision.Run) door.enter(PAY, PAY.body());

        Answer second = send(PAY);

        assertThat(second.status()).isEqualTo(409);
        assertThat(problem(second)).isEqualTo("in-progress");
        assertThat(second.header("Retry-After")).hasValue("1");
        assertThat(effects).hasValue(0);
        assertThat(records()).isEqualTo(1);
        assertThat(first.complete(charge(PAY))).isEmpty();
        assertThat(text(send(PAY))).isEqualTo("payment 1");
    }

    @Test
    void case30_afterThe409AnUnchangedRetryIsReplayed() {
        RequestDecision.Run first = (RequestDecision.Run) door.enter(PAY, PAY.body());
        assertThat(send(PAY).status()).isEqualTo(409);
        first.complete(charge(PAY));

        Answer retry = send(PAY);

        assertThat(retry.status()).isEqualTo(201);
        assertThat(replayed(retry)).isTrue();
    }

    @Test
    void case31_aDifferentPayloadMeanwhileIsA422() {
        RequestDecision.Run first = (RequestDecision.Run) door.enter(PAY, PAY.body());

        Answer other = send(PAY.body("{}"));

        assertThat(other.status()).isEqualTo(422);
        assertThat(problem(other)).isEqualTo("key-reused");
        first.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 60})
    void case32_ofManyThreadsOnManyNodesExactlyOneExecutes(int waitSeconds) throws Exception {
        int nodes = 4;
        int threads = 8;
        MemoryStore shared = new MemoryStore();
        List<HttpIdempotency> doors = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            doors.add(HttpIdempotency.on(
                    Engine.on(shared).with(PAYMENTS.waitWhenBusy(Duration.ofSeconds(waitSeconds))),
                    HttpRules.standard()));
        }
        for (int round = 0; round < 50; round++) {
            Message message = Message.post("/payments").key("round-" + round).json("{}");
            effects.set(0);
            List<Answer> answers = race(doors, threads, message);
            assertThat(effects).hasValue(1);
            assertThat(answers)
                    .allMatch(answer -> answer.status() == 201
                            || (waitSeconds == 0 && problem(answer).equals("in-progress")));
            assertThat(answers)
                    .filteredOn(answer -> answer.status() == 201)
                    .allMatch(answer -> text(answer).equals("payment 1"));
            assertThat(answers)
                    .filteredOn(answer -> answer.status() == 201 && !replayed(answer))
                    .hasSize(1);
        }
    }

    @Test
    void case33_whoWaitsLongEnoughIsReplayed() throws Exception {
        door = HttpIdempotency.on(engine.with(PAYMENTS.waitWhenBusy(Duration.ofSeconds(5))), HttpRules.standard());
        RequestDecision.Run first = (RequestDecision.Run) door.enter(PAY, PAY.body());
        Future<Answer> second = clients.submit(() -> send(PAY));
        time.untilWaiting(1);

        first.complete(charge(PAY));

        Answer answer = second.get(30, TimeUnit.SECONDS);
        assertThat(answer.status()).isEqualTo(201);
        assertThat(replayed(answer)).isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void case33_whoWaitsNotLongEnoughIsToldThatItIsInProgress() throws Exception {
        door = HttpIdempotency.on(engine.with(PAYMENTS.waitWhenBusy(Duration.ofSeconds(5))), HttpRules.standard());
        RequestDecision.Run first = (RequestDecision.Run) door.enter(PAY, PAY.body());
        Future<Answer> second = clients.submit(() -> send(PAY));
        time.untilWaiting(1);

        time.advance(Duration.ofSeconds(5));

        assertThat(problem(second.get(30, TimeUnit.SECONDS))).isEqualTo("in-progress");
        assertThat(effects).hasValue(0);
        first.release();
    }

    private List<Answer> race(List<HttpIdempotency> doors, int threads, Message message)
            throws InterruptedException, ExecutionException {
        CyclicBarrier start = new CyclicBarrier(doors.size() * threads);
        List<Callable<Answer>> sends = new ArrayList<>();
        for (HttpIdempotency node : doors) {
            for (int i = 0; i < threads; i++) {
                sends.add(() -> {
                    start.await();
                    return send(node, message);
                });
            }
        }
        List<Answer> answers = new ArrayList<>();
        for (Future<Answer> future : clients.invokeAll(sends)) {
            answers.add(future.get());
        }
        return answers;
    }
}
