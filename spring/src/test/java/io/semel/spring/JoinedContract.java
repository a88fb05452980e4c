// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Level;
import io.semel.NotDone;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.spring.Payments.Order;
import io.semel.spring.Payments.Receipt;
import io.semel.spring.internal.store.ApplicationStore;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** What a joined store gives to methods of a Boot application. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JoinedContract {

    private ConfigurableApplicationContext app;
    private Payments payments;
    private final Order order = new Order(UUID.randomUUID().toString(), 500);

    abstract String url();

    abstract String user();

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    static class App {

        @org.springframework.context.annotation.Bean
        Payments payments(org.springframework.jdbc.core.simple.JdbcClient database) {
            return new Payments(database);
        }
    }

    @BeforeAll
    void start() {
        app = new SpringApplicationBuilder(App.class)
                .web(org.springframework.boot.WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + url(),
                        "spring.datasource.username=" + user(),
                        "spring.datasource.password=",
                        "spring.datasource.hikari.maximum-pool-size=8",
                        "spring.datasource.hikari.minimum-idle=0",
                        "spring.main.banner-mode=off",
                        "semel.jdbc.initialize-schema=true")
                .run();
        payments = app.getBean(Payments.class);
    }

    @AfterAll
    void stop() {
        app.close();
    }

    private Order newOrder() {
        return new Order(UUID.randomUUID().toString(), order.cents());
    }

    @Test
    void theStoreJoins() {
        assertThat(app.getBean(ApplicationStore.class).joins()).isTrue();
        assertThat(app.getBean(ApplicationStore.class).store().level()).isEqualTo(Level.JOINED);
    }

    @Test
    void aRetryGetsTheFirstAnswer() {
        Order mine = newOrder();
        Receipt first = payments.pay(mine);
        assertThat(payments.pay(mine)).isEqualTo(first);
        assertThat(payments.paid(mine)).isOne();
    }

    @Test
    void aMethodWithoutTransactionalGetsATransaction() {
        Order mine = newOrder();
        Receipt first = payments.payWithoutTransactional(mine);
        assertThat(payments.payWithoutTransactional(mine)).isEqualTo(first);
        assertThat(payments.paid(mine)).isOne();
    }

    @Test
    void aHundredThreadsWithOneKeyPayOnce() throws Exception {
        Order mine = newOrder();
        List<Receipt> receipts = Threads.together(100, () -> payInTheEnd(mine));
        assertThat(receipts).hasSize(100).containsOnly(receipts.get(0));
        assertThat(payments.paid(mine)).isOne();
    }

    /** As a caller does who is told that the call runs already. */
    private Receipt payInTheEnd(Order mine) {
        while (true) {
            try {
                return payments.pay(mine);
            } catch (NotDone e) {
                assertThat(e.outcome()).isInstanceOf(Outcome.Busy.class);
            }
        }
    }

    @Test
    void anotherRequestWithTheKeyIsRefused() {
        Order mine = newOrder();
        payments.pay(mine);
        assertThatThrownBy(() -> payments.pay(new Order(mine.id(), 501)))
                .isInstanceOfSatisfying(
                        NotDone.class,
                        notDone -> assertThat(notDone.outcome())
                                .isEqualTo(new Outcome.Refused<>(Outcome.Reason.MISMATCH)));
        assertThat(payments.paid(mine)).isOne();
    }

    @Test
    void whatTheMethodThrowsRollsBackTheEffectAndFreesTheKey() {
        Order mine = newOrder();
        RuntimeException failure = new IllegalStateException("no");
        assertThatThrownBy(() -> payments.payThenFail(mine, failure)).isSameAs(failure);
        assertThat(payments.paid(mine)).isZero();
        assertThatThrownBy(() -> payments.payThenFail(mine, failure)).isSameAs(failure);
    }

    @Test
    void aCheckedExceptionRollsBackTooAlthoughTransactionalAloneWouldCommit() {
        Order mine = newOrder();
        assertThatThrownBy(() -> payments.payThenFailChecked(mine)).isInstanceOf(IOException.class);
        assertThat(payments.paid(mine)).isZero();
    }

    @Test
    void aRecordedExceptionTakesTheEffectBackAndIsThrownAgainAtRetries() {
        Order mine = newOrder();
        int runs = payments.runs();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> payments.payThenReject(mine))
                    .isInstanceOf(Payments.NoFunds.class)
                    .hasMessage("There is not enough on " + mine.id() + ".");
        }
        assertThat(payments.paid(mine)).isZero();
        assertThat(payments.runs()).isEqualTo(runs + 1);
    }

    @Test
    void aRejectionIsRecordedEvenIfItsTransactionCouldNotSayAnythingMore() {
        Order mine = newOrder();
        int runs = payments.runs();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> payments.payAndRejectAfterBrokenStatement(mine))
                    .isInstanceOf(Rejection.class);
        }
        assertThat(payments.paid(mine)).isZero();
        assertThat(payments.runs()).isEqualTo(runs + 1);
    }

    @Test
    void aCallersTransactionThatRollsBackTakesTheRecordAlong() {
        Order mine = newOrder();
        assertThatThrownBy(() -> payments.payInOuterTransaction(payments, mine, true))
                .isInstanceOf(IllegalStateException.class);
        assertThat(payments.paid(mine)).isZero();
        payments.payInOuterTransaction(payments, mine, false);
        payments.pay(mine);
        assertThat(payments.paid(mine)).isOne();
    }

    @Test
    void aCallerThatSwallowsTheExceptionCannotCommitHalfOfIt() {
        Order mine = newOrder();
        assertThatThrownBy(() -> payments.swallow(payments, mine)).isInstanceOf(UnexpectedRollbackException.class);
        assertThat(payments.paid(mine)).isZero();
    }

    @Test
    void aNewTransactionOfTheCallerIsJoined() {
        Order mine = newOrder();
        TransactionTemplate outer = new TransactionTemplate(app.getBean(PlatformTransactionManager.class));
        outer.executeWithoutResult(status -> {
            payments.payInNewTransaction(payments, mine);
            status.setRollbackOnly();
        });
        assertThat(payments.paid(mine)).isOne();
        payments.pay(mine);
        assertThat(payments.paid(mine)).isOne();
    }

    @Test
    void aReadOnlyTransactionIsRefusedBeforeAnythingRuns() {
        Order mine = newOrder();
        int runs = payments.runs();
        assertThatThrownBy(() -> payments.payInReadOnlyTransaction(payments, mine))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("read-only");
        assertThat(payments.runs()).isEqualTo(runs);
    }

    @Test
    void aMethodThatMarksItsTransactionForRollbackLeavesNothing() {
        Order mine = newOrder();
        int slots = payments.slots();
        assertThatThrownBy(() -> payments.payThoughMarkedForRollback(mine))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(payments.paid(mine)).isZero();
        assertThat(payments.slots()).isEqualTo(slots);
    }
}
