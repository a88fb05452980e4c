// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.stub.ClientCalls;
import io.semel.client.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a client that counts by itself sends, and when. */
class NumberingInterceptorTest extends NumberedCalls {

    @Test
    void numbersCountFromOneAndTheMarkFollowsTheAnswers() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            for (int i = 1; i <= 10; i++) {
                assertThat(pay(numbers)).isEqualTo("pay " + i);
            }

            assertThat(numbers()).containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
            assertThat(sessions.countSessions().requests()).isEqualTo(1);
            assertThat(numbers.session().outstanding()).isEmpty();
        }
        assertThat(sessions.countSessions().sessions()).isZero();
    }

    @Test
    void case74_aCallWaitsForAPlaceInTheWindow() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (NumberingInterceptor numbers = NumberingInterceptor.open(resigned)) {
            onFirst(line::cut);
            failure(() -> pay(numbers));
            for (int i = 2; i <= 4; i++) {
                pay(numbers);
            }
            assertThat(refusal(() -> pay(numbers, CallOptions.DEFAULT.withDeadlineAfter(200, TimeUnit.MILLISECONDS))))
                    .isEqualTo("RESOURCE_EXHAUSTED window-full");

            Future<String> waiting = threads.submit(() -> pay(numbers));
            numbers.session().giveUp(numbers.session().outstanding().get(0).key());

            assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("pay 5");
            assertThat(numbers()).containsExactly("1", "2", "3", "4", "5");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aCallEndsByItsOwnDeadlineAndStaysOutstanding() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            onFirst(() -> await(ended));
            assertThat(refusal(() -> pay(numbers, CallOptions.DEFAULT.withDeadlineAfter(500, TimeUnit.MILLISECONDS))))
                    .isEqualTo("DEADLINE_EXCEEDED outcome-unknown");
            ended.countDown();

            String key = numbers.session().outstanding().get(0).key();
            assertThat(numbers.session().again(key).get(30, TimeUnit.SECONDS)).isInstanceOf(Result.Answered.class);
            assertThat(counter.runs).hasValue(1);
            assertThat(refusal(() -> pay(numbers, CallOptions.DEFAULT.withDeadlineAfter(-1, TimeUnit.SECONDS))))
                    .isEqualTo("DEADLINE_EXCEEDED not-sent");
        }
    }

    @Test
    void aCallWhoseContextEndsIsCancelledAndStaysOutstanding() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client);
                Context.CancellableContext context = Context.current().withCancellation()) {
            onFirst(() -> {
                begun.countDown();
                await(ended);
            });
            Future<String> call = context.call(() ->
                    ClientCalls.futureUnaryCall(through(numbers).newCall(Counter.PAY, CallOptions.DEFAULT), "pay"));
            await(begun);
            context.cancel(null);

            assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS)).hasMessageContaining("CANCELLED");
            ended.countDown();
            assertThat(numbers.session().outstanding()).hasSize(1);
        }
    }

    @Test
    void case80_aSessionIsKeptAliveWhileNothingIsSent() throws Exception {
        Duration lease = Duration.ofMillis(600);
        terms = terms.lease(lease);
        restart();
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            pay(numbers);
            String mark = "";
            for (int i = 0; i < 6; i++) {
                // What came while this thread was held up has been counted by the store's clock as it was then.
                keptAlive.clear();
                mark = keptAlive.poll(30, TimeUnit.SECONDS);
                time.advance(lease.dividedBy(3));
            }

            assertThat(mark).isEqualTo("2");
            assertThat(pay(numbers)).isEqualTo("pay 2");
        }
    }

    @Test
    void whatIsOfHttpAloneIsRefused() {
        assertThatThrownBy(() -> client.problemBase("https://pages.example/")).hasMessageContaining("over HTTP");
    }

    @Test
    void aServiceThatMakesNoSessionIsAnError() {
        counter.close();

        assertThatThrownBy(() -> NumberingInterceptor.open(client.with(RETRIES.deadline(Duration.ofMillis(300)))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has not registered a session");
    }
}
