// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Many clients at once, over connections that break, double and delay. */
public final class Storm {

    private static final long PATIENCE_SECONDS = 60;
    /** After how many orders the copies turn up that were on the way for long. */
    private static final long LATE = 50;

    final int port;
    final StormCounters tally = new StormCounters();

    private final StormPlan plan;
    private final AtomicLong orders = new AtomicLong();
    private final Queue<Consumer<PayingClient>> late = new ConcurrentLinkedQueue<>();
    private final ExecutorService network;
    private final ExecutorService clients;
    private volatile long start = System.nanoTime();
    private volatile boolean stopped;

    /**
     * Begins nothing yet.
     *
     * @param port where the clients send their orders
     */
    public Storm(StormPlan plan, int port) {
        this.plan = plan;
        this.port = port;
        this.network = Executors.newFixedThreadPool(plan.clients(), DaemonThreads.named("demo-network"));
        this.clients = Executors.newFixedThreadPool(plan.clients(), DaemonThreads.named("demo-client"));
    }

    /** Storms until the time is up or all orders are paid, telling how it goes now and then. */
    public StormResult run(ProgressDisplay progress, PaymentService service) throws InterruptedException {
        start = System.nanoTime();
        for (int i = 0; i < plan.clients(); i++) {
            clients.execute(this::client);
        }
        clients.shutdown();
        while (!clients.awaitTermination(progress.pause().toMillis(), TimeUnit.MILLISECONDS)) {
            progress.show(seconds(), tally, service.ledger());
        }
        network.shutdown();
        if (!network.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Some deliveries have not ended after " + PATIENCE_SECONDS + " s.");
        }
        progress.end();
        return new StormResult(tally, service.ledger().read(), seconds(), stopped);
    }

    /** Ends it as soon as may be. */
    public void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    void later(Consumer<PayingClient> copy) {
        late.add(copy);
    }

    void meanwhile(Consumer<PayingClient> copy) {
        network.execute(() -> with(copy));
    }

    private void client() {
        with(client -> {
            for (long order = orders.incrementAndGet(); goesOn(order); order = orders.incrementAndGet()) {
                client.pay("order-" + order, new ClientBehaviour(plan.seed(), order));
                if (order % LATE == 0) {
                    deliverLate(client);
                }
            }
            deliverLate(client);
        });
    }

    private void with(Consumer<PayingClient> work) {
        try (PayingClient client = new PayingClient(this)) {
            work.accept(client);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deliverLate(PayingClient client) {
        for (Consumer<PayingClient> copy = late.poll(); copy != null && !stopped; copy = late.poll()) {
            copy.accept(client);
        }
    }

    private boolean goesOn(long order) {
        Duration passed = Duration.ofNanos(System.nanoTime() - start);
        return !stopped && order <= plan.keys() && passed.compareTo(plan.limit()) < 0;
    }

    private double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }
}
