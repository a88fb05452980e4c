// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Engine;
import io.semel.NotDone;
import io.semel.Outcome;
import io.semel.memory.MemoryStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The three attempts of the README: callers come at once, and come back until they have a receipt. */
@Timeout(60)
class ThreeAttemptsTest {

    private static final int ORDERS = 200;
    private static final int CALLERS = 4;

    private final Ledger ledger = new Ledger(42);
    private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);

    @AfterEach
    void stop() {
        callers.shutdownNow();
    }

    @Test
    void theBugChargesAtEveryRetry() throws Exception {
        int different = storm(new Naive(ledger));
        assertThat(ledger.doubleCharges()).isEqualTo(ORDERS * (CALLERS - 1));
        assertThat(different).isEqualTo(ORDERS);
    }

    @Test
    void theHalfFixChargesTwiceWhoeverComesAtOnce() throws Exception {
        assertThat(storm(new HalfFixed(ledger))).isPositive();
        assertThat(ledger.doubleCharges()).isPositive();
    }

    @Test
    void theHalfFixGivesAnotherAmountAReceiptThatIsNotItsOwn() throws Exception {
        Payments payments = new HalfFixed(ledger);
        String first = insist(payments, "order", 500);
        assertThat(insist(payments, "order", 999)).isEqualTo(first);
    }

    @Test
    void theFixChargesEveryOrderOnceAndAnswersEverybodyTheSame() throws Exception {
        assertThat(storm(new Fixed(Engine.on(new MemoryStore()), ledger))).isZero();
        assertThat(ledger.doubleCharges()).isZero();
        assertThat(ledger.charges()).isEqualTo(ORDERS);
    }

    @Test
    void theFixRefusesAnotherAmount() throws Exception {
        Payments payments = new Fixed(Engine.on(new MemoryStore()), ledger);
        insist(payments, "order", 500);
        assertThatThrownBy(() -> payments.pay("order", 999))
                .isInstanceOfSatisfying(
                        NotDone.class, e -> assertThat(e.outcome()).isInstanceOf(Outcome.Refused.class));
    }

    /** How many orders got different receipts. */
    private int storm(Payments payments) throws Exception {
        CyclicBarrier together = new CyclicBarrier(CALLERS);
        int different = 0;
        for (int i = 0; i < ORDERS; i++) {
            String order = "order-" + i;
            List<Future<String>> receipts = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                Callable<String> call = () -> {
                    together.await(30, TimeUnit.SECONDS);
                    return insist(payments, order, 500);
                };
                receipts.add(callers.submit(call));
            }
            Set<String> seen = new HashSet<>();
            for (Future<String> receipt : receipts) {
                seen.add(receipt.get(30, TimeUnit.SECONDS));
            }
            different += seen.size() > 1 ? 1 : 0;
        }
        return different;
    }

    private static String insist(Payments payments, String order, long cents) {
        while (true) {
            try {
                return payments.pay(order, cents);
            } catch (Ledger.BankDown e) {
                Thread.onSpinWait();
            } catch (NotDone e) {
                assertThat(e.outcome()).isInstanceOf(Outcome.Busy.class);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }
}
