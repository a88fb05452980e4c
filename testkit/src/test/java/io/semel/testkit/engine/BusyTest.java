// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Begun;
import io.semel.Engine;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Busy;
import io.semel.Outcome.Done;
import io.semel.store.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BusyTest extends EngineFixture {

    private static final int WAITERS = 16;

    private final ExecutorService threads = Executors.newFixedThreadPool(WAITERS + 1);
    private final AtomicInteger claims = new AtomicInteger();
    private final Engine patient = Engine.on(new Interposed(store).after(Claim.class, claims::incrementAndGet), time)
            .with(Operation.named("patient").waitWhenBusy(Duration.ofSeconds(10)));

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void aDuplicateIsToldAtOnceByDefault() {
        begin(engine);

        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Busy<>(Duration.ofSeconds(1)));
        assertThat(time.nanos()).isZero();
    }

    @Test
    void waitersInOneProcessWaitOnTheRunningCallWithOneClaimEach() throws Exception {
        Begun.Started<String> started = begin(patient);
        List<Future<Outcome<String>>> waiters = startWaiters();
        time.untilWaiting(WAITERS);
        started.complete("done");

        for (Future<Outcome<String>> waiter : waiters) {
            assertThat(waiter.get()).isEqualTo(new Done<>("done", true));
        }
        assertThat(claims).hasValue(WAITERS + 1);
        assertThat(runs).hasValue(0);
    }

    @Test
    void ifTheRunningCallFailsOneOfTheWaitersRuns() throws Exception {
        Begun.Started<String> started = begin(patient);
        List<Future<Outcome<String>>> waiters = startWaiters();
        time.untilWaiting(WAITERS);
        started.release();

        List<Outcome<String>> outcomes = new ArrayList<>();
        for (Future<Outcome<String>> waiter : waiters) {
            outcomes.add(waiter.get());
        }
        assertThat(outcomes).containsOnlyOnce(new Done<>("run 1", false));
        assertThat(outcomes).allMatch(outcome -> outcome.orThrow().equals("run 1"));
        assertThat(runs).hasValue(1);
    }

    @Test
    void acrossProcessesAWaiterAsksAgainWithGrowingPausesAndGetsTheAnswer() {
        Begun.Started<String> started = begin(engine);
        AtomicInteger asked = new AtomicInteger();
        Interposed other = new Interposed(store).after(Claim.class, () -> {
            if (asked.incrementAndGet() == 6) {
                started.complete("done");
            }
        });

        Outcome<String> outcome = Engine.on(other, time)
                .with(Operation.named("patient").waitWhenBusy(Duration.ofSeconds(10)))
                .run(CALL, UTF8, this::countedRun);

        assertThat(outcome).isEqualTo(new Done<>("done", true));
        assertThat(asked).hasValue(7);
        assertThat(time.nanos())
                .as("5 + 10 + 20 + 40 + 80 + 160 ms")
                .isEqualTo(Duration.ofMillis(315).toNanos());
    }

    @Test
    void aWaiterGivesUpWhenItsBudgetIsSpent() {
        begin(engine);

        assertThat(elsewhere(Operation.named("patient").waitWhenBusy(Duration.ofSeconds(2)))
                        .run(CALL, UTF8, this::countedRun))
                .isInstanceOf(Busy.class);
        assertThat(time.nanos()).isEqualTo(Duration.ofSeconds(2).toNanos());
    }

    @Test
    void aWaiterDoesNotSleepPastTheEndOfALeaseThatNobodyRenews() {
        store.claim(CALL, "a holder that vanishes", Duration.ofMillis(100));

        assertThat(elsewhere(RERUN.waitWhenBusy(Duration.ofSeconds(60))).run(CALL, UTF8, this::countedRun))
                .isEqualTo(new Done<>("run 1", false));
        assertThat(time.nanos()).isLessThan(Duration.ofMillis(200).toNanos());
    }

    @Test
    void anInterruptedWaiterIsBusyAndStaysInterrupted() {
        begin(engine);
        Thread.currentThread().interrupt();

        Outcome<String> outcome = Engine.on(store)
                .with(Operation.named("patient").waitWhenBusy(Duration.ofSeconds(10)))
                .run(CALL, UTF8, this::countedRun);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isInstanceOf(Busy.class);
    }

    private List<Future<Outcome<String>>> startWaiters() {
        List<Future<Outcome<String>>> waiters = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(threads.submit(() -> patient.run(CALL, UTF8, this::countedRun)));
        }
        return waiters;
    }
}
