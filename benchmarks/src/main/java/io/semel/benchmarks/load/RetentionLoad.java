// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.semel.Retention;
import io.semel.benchmarks.Workers;
import io.semel.store.Claim;
import io.semel.store.Purger;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Shows that purging keeps up: new keys at full rate, each kept for a short retention, and every minute the rate, the rows and
 * the bytes. Rows and bytes have to level off, and the last rates to be what the first ones were.
 *
 * <p>Arguments: {@code postgresql} or {@code rocksdb}, both without any. {@code -Dminutes=20 -Dretention=60 -Dcallers=16
 * -Dstep=60} (seconds a line) {@code -Dplot=FILE.svg}.
 */
public final class RetentionLoad {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Subject subject;
    private final int callers = Integer.getInteger("callers", 16);
    private final int step = Integer.getInteger("step", 60);
    private final int steps = Integer.getInteger("minutes", 20) * 60 / step;
    private final Settlement done = new Settlement.Complete(
            Answers.json(200), Retention.of(Duration.ofSeconds(Integer.getInteger("retention", 60)), Duration.ZERO));
    private final AtomicLong pairs = new AtomicLong();
    private final List<Sample> samples = new ArrayList<>();
    private volatile boolean stopped;

    private RetentionLoad(Subject subject) {
        this.subject = subject;
    }

    public static void main(String[] args) throws Exception {
        Lines plot = new Lines();
        for (String name : args.length == 0 ? List.of("postgresql", "rocksdb") : List.of(args)) {
            try (Subject subject = Subject.open(name)) {
                new RetentionLoad(subject).run(plot);
            }
        }
        String file = System.getProperty("plot");
        if (file != null) {
            plot.write(Path.of(file));
        }
    }

    private void run(Lines plot) throws Exception {
        System.out.printf(
                Locale.ROOT,
                "%n%s%n%8s %10s %12s %10s %10s %8s%n",
                subject.name(),
                "minute",
                "pairs/s",
                "rows",
                "MB",
                "purged/s",
                "behind");
        ExecutorService threads = Executors.newFixedThreadPool(callers, Workers.factory());
        try (Purger purger = new Purger(subject.purgeable(), INTERVAL, Purger.BATCH, new Told())) {
            purger.start();
            for (int i = 0; i < callers; i++) {
                threads.execute(this::call);
            }
            measure(purger);
        } finally {
            stopped = true;
            threads.shutdown();
            threads.awaitTermination(1, TimeUnit.MINUTES);
        }
        judge();
        plot.add(
                subject.name() + ": keys a second",
                samples.stream().mapToDouble(Sample::rate).toArray());
        plot.add(
                subject.name() + ": rows",
                samples.stream().mapToDouble(Sample::rows).toArray());
        plot.add(
                subject.name() + ": megabytes",
                samples.stream().mapToDouble(Sample::megabytes).toArray());
    }

    private void call() {
        Store store = subject.store();
        while (!stopped) {
            long number = pairs.incrementAndGet();
            Claim claim = store.claim(Calls.call(number), Calls.holder(number), Calls.LEASE);
            if (!(claim instanceof Claim.Granted granted)
                    || !store.settle(Calls.call(number).key(), Calls.holder(number), granted.fence(), done)) {
                throw new IllegalStateException("A key that nobody else has was not granted and settled: " + claim);
            }
        }
    }

    private void measure(Purger purger) throws Exception {
        long before = System.nanoTime();
        long counted = pairs.get();
        long purged = 0;
        for (int i = 1; i <= steps; i++) {
            TimeUnit.SECONDS.sleep(step);
            long now = System.nanoTime();
            long all = pairs.get();
            long dropped = purger.purged();
            double seconds = (now - before) / 1e9;
            Sample sample = new Sample((all - counted) / seconds, subject.rows(), subject.bytes() / 1e6);
            samples.add(sample);
            System.out.printf(
                    Locale.ROOT,
                    "%8.1f %,10.0f %,12d %,10.0f %,10.0f %7ds%n",
                    i * step / 60.0,
                    sample.rate,
                    sample.rows,
                    sample.megabytes,
                    (dropped - purged) / seconds,
                    purger.behind().toSeconds());
            before = now;
            counted = all;
            purged = dropped;
        }
    }

    /** The first and last five minutes, or quarters of a run that is shorter than twenty. */
    private void judge() {
        int part = Math.max(1, Math.min(5 * 60 / step, samples.size() / 4));
        double first = samples.subList(0, part).stream()
                .mapToDouble(Sample::rate)
                .average()
                .orElse(0);
        List<Sample> end = samples.subList(samples.size() - part, samples.size());
        double last = end.stream().mapToDouble(Sample::rate).average().orElse(0);
        System.out.printf(
                Locale.ROOT,
                "%s: the last %d of %d lines at %.2f of the rate of the first; at most %,d rows in the second half, %,d in its last part%n",
                subject.name(),
                part,
                samples.size(),
                last / first,
                samples.subList(samples.size() / 2, samples.size()).stream()
                        .mapToLong(Sample::rows)
                        .max()
                        .orElse(0),
                end.stream().mapToLong(Sample::rows).max().orElse(0));
    }

    private static final class Told implements Purger.Watcher {

        @Override
        public void failed(Throwable cause) {
            System.out.println("Purging fails: " + cause);
        }

        @Override
        public void recovered() {
            System.out.println("Purging works again.");
        }
    }

    private record Sample(double rate, long rows, double megabytes) {}
}
