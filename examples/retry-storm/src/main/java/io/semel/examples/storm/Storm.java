// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Many clients at once, over a network that loses, doubles and delays. */
final class Storm {

    private static final long PATIENCE_SECONDS = 60;
    /** After how many orders the copies turn up that were on the way for long. */
    private static final long LATE = 50;

    private final Options options;
    private final Ledger ledger;
    private final Tally tally = new Tally();
    private final AtomicLong orders = new AtomicLong();
    private final Queue<Runnable> late = new ConcurrentLinkedQueue<>();
    private final Payments payments;
    private volatile long start = System.nanoTime();

    Storm(Options options) {
        this.options = options;
        this.ledger = new Ledger(options.seed());
        this.payments = options.version().on(ledger, tally);
    }

    /** Storms until the time is up or all orders are paid, telling how it goes a few times a second. */
    Result run(Progress progress) throws InterruptedException {
        start = System.nanoTime();
        ExecutorService network = Executors.newCachedThreadPool();
        ExecutorService clients = Executors.newFixedThreadPool(options.threads());
        for (int i = 0; i < options.threads(); i++) {
            clients.execute(() -> client(new Client(payments, tally, network, late)));
        }
        clients.shutdown();
        while (!clients.awaitTermination(progress.pause().toMillis(), TimeUnit.MILLISECONDS)) {
            progress.show(seconds(), tally, ledger);
        }
        network.shutdown();
        if (!network.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Some deliveries have not ended after " + PATIENCE_SECONDS + " s.");
        }
        progress.end();
        return new Result(options.version(), tally, ledger, seconds());
    }

    private void client(Client client) {
        for (long order = orders.incrementAndGet(); goesOn(order); order = orders.incrementAndGet()) {
            client.pay("order-" + order, new Weather(options.seed(), order));
            if (order % LATE == 0) {
                deliverLate();
            }
        }
        deliverLate();
    }

    private void deliverLate() {
        for (Runnable copy = late.poll(); copy != null; copy = late.poll()) {
            copy.run();
        }
    }

    private boolean goesOn(long order) {
        return order <= options.orders()
                && System.nanoTime() - start < options.limit().toNanos();
    }

    private double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }
}
