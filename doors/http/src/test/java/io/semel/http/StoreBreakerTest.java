// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Engine;
import io.semel.StoreException;
import io.semel.http.internal.failure.StoreBreaker;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.testkit.ForwardingStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreBreakerTest {

    private static final Message PAY = Message.post("/payments").header("Idempotency-Key", "a-key");

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
    private final StoreBreaker breaker = new StoreBreaker(nanos::get);

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            breaker.unreachable();
        }
    }

    @Test
    void aFewFailuresInARowLeaveTheStoreToOneRequestAPause() {
        fail(StoreBreaker.FAILURES - 1);
        assertThat(breaker.mayAsk()).isTrue();
        fail(1);
        assertThat(breaker.mayAsk()).isFalse();

        nanos.addAndGet(StoreBreaker.PAUSE.toNanos());
        assertThat(breaker.mayAsk()).isTrue();
        assertThat(breaker.mayAsk()).isFalse();

        nanos.addAndGet(StoreBreaker.PAUSE.toNanos());
        assertThat(breaker.mayAsk()).isTrue();
        breaker.reached();
        assertThat(breaker.mayAsk()).isTrue();
        assertThat(breaker.mayAsk()).isTrue();
    }

    @Test
    void anAnswerBetweenFailuresBeginsTheRowAnew() {
        fail(StoreBreaker.FAILURES - 1);
        breaker.reached();
        fail(StoreBreaker.FAILURES - 1);

        assertThat(breaker.mayAsk()).isTrue();
    }

    @Test
    void aDoorDoesNotAskAStoreThatCannotBeReachedForEachRequest() {
        AtomicInteger asked = new AtomicInteger();
        HttpIdempotency door = HttpIdempotency.on(Engine.on(failing(asked, true)), HttpRules.standard());

        for (int i = 0; i < 100; i++) {
            RequestDecision.Refuse refuse = (RequestDecision.Refuse) door.enter(PAY, PAY.body());
            assertThat(refuse.problem().type()).isEqualTo(Problem.Type.STORE_UNAVAILABLE);
            assertThat(refuse.cause()).isInstanceOf(StoreException.class);
        }

        assertThat(asked).hasValueBetween(StoreBreaker.FAILURES, 20);
    }

    @Test
    void aDoorThatFailsOpenLetsThemPassAtOnce() {
        AtomicInteger asked = new AtomicInteger();
        HttpIdempotency door = HttpIdempotency.on(
                Engine.on(failing(asked, true)), HttpRules.standard().failOpen());

        for (int i = 0; i < 100; i++) {
            assertThat(door.enter(PAY, PAY.body()))
                    .isEqualTo(new RequestDecision.Pass(RequestDecision.PassReason.STORE_UNAVAILABLE));
        }

        assertThat(asked).hasValueBetween(StoreBreaker.FAILURES, 20);
    }

    @Test
    void aStoreThatIsThereAndFailsIsAskedByEachRequest() {
        AtomicInteger asked = new AtomicInteger();
        HttpIdempotency door = HttpIdempotency.on(Engine.on(failing(asked, false)), HttpRules.standard());

        for (int i = 0; i < 100; i++) {
            door.enter(PAY, PAY.body());
        }

        assertThat(asked.get()).isGreaterThanOrEqualTo(100);
    }

    private static ForwardingStore failing(AtomicInteger asked, boolean unreachable) {
        return new ForwardingStore(new MemoryStore()) {
            @Override
            public Claim claim(Call call, String holder, Duration lease) {
                asked.incrementAndGet();
                throw unreachable
                        ? StoreException.unreachable("connection refused", null)
                        : new StoreException("deadlock", null);
            }
        };
    }
}
