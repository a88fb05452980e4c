// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Level;
import io.semel.memory.MemoryStore;
import io.semel.spring.internal.method.MethodPlans;
import io.semel.spring.internal.setup.InvalidSetup;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Calls whose earlier holder fell silent, and methods that find out whether they happened. */
class ReconcileTest {

    record Receipt(String order, String by) {}

    /** A bank elsewhere, and a service that asks it. */
    static class Service {

        private final Map<String, Receipt> bank = new ConcurrentHashMap<>();
        private volatile boolean away;

        Map<String, Receipt> bank() {
            return bank;
        }

        void away(boolean now) {
            away = now;
        }

        @Idempotent(operation = "pay", reconcile = "find")
        public Receipt pay(String order) {
            Receipt receipt =
                    new Receipt(order, "run " + CurrentAttempt.attempt().fence());
            bank.put(order, receipt);
            return receipt;
        }

        Optional<Receipt> find(String order) {
            if (away) {
                throw new IllegalStateException("The bank is away.");
            }
            assertThat(CurrentAttempt.attempt().abandoned()).isTrue();
            return Optional.ofNullable(bank.get(order));
        }

        @Idempotent(operation = "later", reconcile = "find")
        public CompletableFuture<Receipt> payLater(String order) {
            return CompletableFuture.completedFuture(pay(order));
        }

        @Idempotent(operation = "silent", reconcile = "has")
        public void paySilently(String order) {
            bank.put(order, new Receipt(order, "silence"));
        }

        boolean has(String order) {
            return bank.containsKey(order);
        }
    }

    private final MemoryStore store = new MemoryStore();

    private void run(ApplicationContextTest test) {
        Apps.bare()
                .withBean(MemoryStore.class, () -> store)
                .withBean(Service.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.with(context.getBean(Service.class), (method, order) -> {
                        Call call = context.getBean(MethodPlans.class)
                                .of(Service.class.getMethod(method, String.class), Service.class)
                                .call(new Object[] {order});
                        long fence = ((Claim.Granted) store.claim(call, "silent", Duration.ofMinutes(1))).fence();
                        store.settle(call.key(), "silent", fence, new Settlement.Renew(Duration.ZERO));
                    });
                });
    }

    private interface ApplicationContextTest {

        void with(Service service, Abandon abandon) throws Exception;
    }

    private interface Abandon {

        void call(String method, String order) throws Exception;
    }

    @Test
    void aCallThatHappenedIsAnsweredAndNotRun() {
        run((service, abandon) -> {
            abandon.call("pay", "1");
            service.bank().put("1", new Receipt("1", "the first"));

            assertThat(service.pay("1")).isEqualTo(new Receipt("1", "the first"));
            assertThat(service.pay("1")).isEqualTo(new Receipt("1", "the first"));
            abandon.call("payLater", "1");
            assertThat(service.payLater("1").get().by()).isEqualTo("the first");
        });
    }

    @Test
    void aCallThatDidNotHappenRuns() {
        run((service, abandon) -> {
            abandon.call("pay", "1");

            assertThat(service.pay("1").by()).isEqualTo("run 2");
        });
    }

    @Test
    void whileNobodyKnowsNothingRunsAndTheNextCallAsksAgain() {
        run((service, abandon) -> {
            abandon.call("pay", "1");
            service.away(true);

            assertThatThrownBy(() -> service.pay("1")).hasMessage("The bank is away.");
            assertThat(service.bank()).isEmpty();
            service.away(false);
            assertThat(service.pay("1").by()).startsWith("run");
        });
    }

    @Test
    void aMethodWithoutAnAnswerIsToldWhetherItHappened() {
        run((service, abandon) -> {
            abandon.call("paySilently", "1");
            service.bank().put("1", new Receipt("1", "the first"));
            abandon.call("paySilently", "2");

            service.paySilently("1");
            service.paySilently("2");

            assertThat(service.bank().get("1").by()).isEqualTo("the first");
            assertThat(service.bank().get("2").by()).isEqualTo("silence");
        });
    }

    static class Missing {
        @Idempotent(reconcile = "find")
        public String pay(String order) {
            return order;
        }
    }

    static class OtherAnswer extends Missing {
        Optional<Integer> find(String order) {
            return Optional.of(order.length());
        }
    }

    static class Both {
        @Idempotent(reconcile = "find", whenAbandoned = Abandoned.REFUSE)
        public String pay(String order) {
            return order;
        }

        Optional<String> find(String order) {
            return Optional.of(order);
        }
    }

    static class Joined {
        @Idempotent(reconcile = "find", level = Level.JOINED)
        public String pay(String order) {
            return order;
        }

        Optional<String> find(String order) {
            return Optional.of(order);
        }
    }

    @Test
    void whatCannotBeAskedStopsTheStart() {
        fails(Apps.inMemory().withBean(Missing.class), "no such method");
        fails(Apps.inMemory().withBean(OtherAnswer.class), "Optional<java.lang.String>");
        fails(Apps.inMemory().withBean(Both.class), "both whenAbandoned and reconcile");
        fails(Apps.onH2().withBean(Joined.class), "nothing to reconcile");
    }

    private static void fails(ApplicationContextRunner app, String part) {
        app.run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(InvalidSetup.class)
                .hasMessageContaining(part));
    }
}
