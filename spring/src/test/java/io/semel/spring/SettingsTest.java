// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Level;
import io.semel.NotDone;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Retention;
import io.semel.memory.MemoryStore;
import io.semel.spring.internal.method.MethodPlan;
import io.semel.spring.internal.method.MethodPlans;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What single properties and attributes do. */
class SettingsTest {

    static class Service {

        @Idempotent
        public String plain(String id) {
            return "a long answer to " + id;
        }

        @Idempotent(retention = "forever", remembrance = "PT1H", lease = "${lease}", whenAbandoned = Abandoned.REFUSE)
        public String special(String id) {
            return id;
        }
    }

    static class Later {

        @Idempotent(level = Level.LEASED)
        public CompletableFuture<String> later(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    private static MethodPlan plan(ApplicationContext context, String method) throws Exception {
        return context.getBean(MethodPlans.class).of(Service.class.getMethod(method, String.class), Service.class);
    }

    @Test
    void theMethodsOwnSettingsComeBeforeThoseOfTheApplication() {
        Apps.inMemory()
                .withPropertyValues("lease=7s", "semel.retention=2h", "semel.remembrance=3h", "semel.lease=8s")
                .withBean(Service.class)
                .run(context -> {
                    Operation plain = plan(context, "plain").engine().operation();
                    assertThat(plain.retention()).isEqualTo(Retention.of(Duration.ofHours(2), Duration.ofHours(3)));
                    assertThat(plain.lease()).isEqualTo(Duration.ofSeconds(8));
                    Operation special = plan(context, "special").engine().operation();
                    assertThat(special.retention()).isEqualTo(Retention.of(Retention.FOREVER, Duration.ofHours(1)));
                    assertThat(special.lease()).isEqualTo(Duration.ofSeconds(7));
                });
    }

    @Test
    void anAbandonedCallMeetsItsPolicy() {
        abandoned("semel.when-abandoned=rerun", service -> {
            assertThat(service.plain("1")).isNotNull();
            refuses(() -> service.special("1"), Outcome.Reason.UNKNOWN);
        });
    }

    @Test
    void anAbandonedCallIsRefusedWhereNothingIsSaid() {
        abandoned("lease=7s", service -> refuses(() -> service.plain("1"), Outcome.Reason.UNKNOWN));
    }

    private static void abandoned(String property, Consumer<Service> trial) {
        MemoryStore store = new MemoryStore();
        Apps.bare()
                .withBean(MemoryStore.class, () -> store)
                .withPropertyValues("lease=7s", property)
                .withBean(Service.class)
                .run(context -> {
                    abandon(store, plan(context, "plain").call(new Object[] {"1"}));
                    abandon(store, plan(context, "special").call(new Object[] {"1"}));
                    trial.accept(context.getBean(Service.class));
                });
    }

    private static void abandon(MemoryStore store, Call call) {
        long fence = ((Claim.Granted) store.claim(call, "silent", Duration.ofMinutes(1))).fence();
        store.settle(call.key(), "silent", fence, new Settlement.Renew(Duration.ZERO));
    }

    private static void refuses(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, Outcome.Reason reason) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        NotDone.class,
                        notDone -> assertThat(notDone.outcome()).isEqualTo(new Outcome.Refused<>(reason)));
    }

    @Test
    void anAnswerThatIsTooLargeGoesToItsCallerOnly() {
        Apps.inMemory()
                .withPropertyValues("semel.max-answer=10B", "lease=7s")
                .withBean(Service.class)
                .run(context -> {
                    Service service = context.getBean(Service.class);
                    assertThat(service.plain("1")).isNotNull();
                    refuses(() -> service.plain("1"), Outcome.Reason.NOT_RETAINED);
                });
    }

    @Test
    void keysCanBeHiddenFromThoseWhoReadTheTable() {
        Apps.onH2()
                .withPropertyValues("semel.jdbc.hide-keys=true")
                .withBean(Payments.class)
                .run(context -> {
                    Payments payments = context.getBean(Payments.class);
                    payments.pay(new Payments.Order("1", 5));
                    payments.pay(new Payments.Order("1", 5));
                    assertThat(payments.runs()).isOne();
                    assertThat(context.getBean(JdbcClient.class)
                                    .sql("SELECT COUNT(*) FROM semel_slot WHERE scope IS NULL AND name IS NULL")
                                    .query(Integer.class)
                                    .single())
                            .isOne();
                });
    }

    @Test
    void aFutureThatWouldNeedASecondConnectionIsRefused() {
        Apps.onH2().withBean(Later.class).run(context -> {
            Later later = context.getBean(Later.class);
            TransactionTemplate outer = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            assertThatThrownBy(() -> outer.execute(status -> later.later("1")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("second one");
            assertThat(later.later("1").join()).isEqualTo("1");
        });
    }
}
