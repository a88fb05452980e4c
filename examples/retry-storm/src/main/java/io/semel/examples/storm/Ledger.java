// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The bank's book: it is only ever appended to, takes its time, and now and then refuses before it has written anything. */
final class Ledger {

    private static final long SHORTEST_MICROS = 500;
    private static final long LONGEST_MICROS = 3_000;
    private static final double REFUSED = 0.02;

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Integer> charges = new HashMap<>();
    private final SplittableRandom random;
    private int overcharged;

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
        if (charges.merge(order, 1, Integer::sum) == 2) {
            overcharged++;
        }
        entries.add(new Entry(order, cents));
        return "receipt-" + entries.size();
    }

    private synchronized long micros() {
        return random.nextLong(SHORTEST_MICROS, LONGEST_MICROS);
    }

    private synchronized boolean refuses() {
        return random.nextDouble() < REFUSED;
    }

    /** How often anything was charged. */
    synchronized int executions() {
        return entries.size();
    }

    /** How many orders were charged at all. */
    synchronized int chargedOrders() {
        return charges.size();
    }

    /** How many orders were charged more than once. */
    synchronized int overchargedOrders() {
        return overcharged;
    }

    /** How many charges are one too many. */
    synchronized int doubleCharges() {
        return entries.size() - charges.size();
    }

    private record Entry(String order, long cents) {}

    /** Thrown when nothing was charged. */
    static final class BankDown extends RuntimeException {

        private static final long serialVersionUID = 1L;

        BankDown(String message) {
            super(message);
        }
    }
}
