// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The bank's book: it is only ever appended to, takes its time, and now and then refuses before it has written anything. */
final class Ledger {

    private static final long SHORTEST_MICROS = 500;
    private static final long LONGEST_MICROS = 3_000;
    private static final double REFUSED = 0.05;

    private final List<String> orders = new ArrayList<>();
    private final SplittableRandom random;

    Ledger(long seed) {
        this.random = new SplittableRandom(seed);
    }

    String charge(String order, long cents) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros()));
        if (refuses()) {
            throw new BankDown("The bank did not answer, so nothing was charged for " + order + ".");
        }
        return append(order, cents);
    }

    private synchronized String append(String order, long cents) {
        orders.add(order);
        return "receipt-" + orders.size() + " over " + cents;
    }

    private synchronized long micros() {
        return random.nextLong(SHORTEST_MICROS, LONGEST_MICROS);
    }

    private synchronized boolean refuses() {
        return random.nextDouble() < REFUSED;
    }

    /** How often anything was charged. */
    synchronized int charges() {
        return orders.size();
    }

    /** How many charges are one too many. */
    synchronized int doubleCharges() {
        return orders.size() - new HashSet<>(orders).size();
    }

    /** Thrown when nothing was charged. */
    static final class BankDown extends RuntimeException {

        private static final long serialVersionUID = 1L;

        BankDown(String message) {
            super(message);
        }
    }
}
