// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import io.semel.NotDone;
import io.semel.Outcome;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Somebody who wants orders to be paid, and sends each until an answer comes. */
final class Client {

    private static final String REFUSED = "refused";
    private static final int MOST_TRIES = 500;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Payments payments;
    private final Tally tally;
    private final Executor network;
    private final Queue<Runnable> late;

    Client(Payments payments, Tally tally, Executor network, Queue<Runnable> late) {
        this.payments = payments;
        this.tally = tally;
        this.network = network;
        this.late = late;
    }

    void pay(String order, Weather weather) {
        tally.requests.increment();
        long cents = weather.cents();
        if (!sendUntilAnswered(order, cents, weather)) {
            tally.unanswered.increment();
        }
        if (weather.deliversLate()) {
            late.add(() -> deliver(order, cents));
        }
        if (weather.changesItsMind()) {
            deliver(order, cents + 1);
        }
    }

    private boolean sendUntilAnswered(String order, long cents, Weather weather) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            if (weather.losesRequest()) {
                tally.lostRequests.increment();
                continue;
            }
            if (weather.clicksTwice()) {
                network.execute(() -> deliver(order, cents));
            }
            String receipt = deliver(order, cents);
            if (receipt == null) {
                LockSupport.parkNanos(PAUSE_NANOS);
            } else if (receipt.equals(REFUSED)) {
                return false;
            } else if (weather.losesAnswer()) {
                tally.lostAnswers.increment();
            } else {
                return true;
            }
        }
        return false;
    }

    /** A receipt, or REFUSED for good; null if the client has to come again. */
    private @Nullable String deliver(String order, long cents) {
        tally.deliveries.increment();
        long start = System.nanoTime();
        try {
            String receipt = payments.pay(order, cents);
            tally.answered(order, receipt);
            return receipt;
        } catch (Ledger.BankDown e) {
            tally.failures.increment();
            return null;
        } catch (NotDone e) {
            return e.outcome() instanceof Outcome.Busy<?> ? null : REFUSED;
        } finally {
            tally.took(System.nanoTime() - start);
        }
    }
}
