// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Writes one line per request on a thread of its own: adding a line never waits, and lines that find no room are counted. */
public final class AccessLog implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(AccessLog.class.getName());
    private static final int MOST_WAITING = 16_384;
    private static final long MOST_BYTES = 8 << 20;
    private static final int MOST_AT_ONCE = 1024;
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final BlockingQueue<AccessLine> waiting;
    private final AtomicLong bytes = new AtomicLong();
    private final LongAdder dropped = new LongAdder();
    private final LogSink sink;
    private final AccessFormat format;
    private final boolean clear;
    private final Thread thread = new Thread(this::run, "semel-access-log");
    private volatile boolean closing;
    private long told;
    private long toldAt = System.nanoTime() - MINUTE;

    AccessLog(LogSink sink, AccessFormat format, boolean clear, int mostWaiting) {
        this.sink = sink;
        this.format = format;
        this.clear = clear;
        this.waiting = new ArrayBlockingQueue<>(mostWaiting);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * On standard output.
     *
     * @param clear whether keys are written beside their hashes
     */
    public static AccessLog onStandardOutput(AccessFormat format, boolean clear) {
        return new AccessLog(LogSink.to(System.out), format, clear, MOST_WAITING);
    }

    /**
     * In a file, which is set aside when it is full.
     *
     * @param kept how many full ones stay
     * @param clear whether keys are written beside their hashes
     */
    public static AccessLog in(Path file, long full, int kept, AccessFormat format, boolean clear) throws IOException {
        return new AccessLog(new RotatingFile(file, full, kept), format, clear, MOST_WAITING);
    }

    public void add(AccessLine line) {
        int cost = line.cost();
        if (bytes.addAndGet(cost) > MOST_BYTES || !waiting.offer(line)) {
            bytes.addAndGet(-cost);
            dropped.increment();
        }
    }

    /** Lines that were not written, because there was no room for them or their file could not be written to. */
    public long dropped() {
        return dropped.sum();
    }

    private void run() {
        List<AccessLine> lines = new ArrayList<>();
        try {
            while (!closing || !waiting.isEmpty()) {
                AccessLine next = waiting.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                if (next != null) {
                    lines.add(next);
                    waiting.drainTo(lines, MOST_AT_ONCE - 1);
                    write(lines);
                    bytes.addAndGet(-lines.stream().mapToLong(AccessLine::cost).sum());
                    lines.clear();
                }
                tellDropped();
            }
            sink.close();
        } catch (InterruptedException | IOException e) {
            LOG.log(System.Logger.Level.WARNING, "The access log ended early.", e);
        }
    }

    private void write(List<AccessLine> lines) {
        try {
            StringBuilder text = new StringBuilder();
            lines.forEach(each -> text.append(format.line(each, clear)).append('\n'));
            sink.write(text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException e) {
            dropped.add(lines.size());
            tellDropped(": " + e);
        }
    }

    private void tellDropped() {
        tellDropped(", because they arrived faster than they could be written");
    }

    /** At most once a minute. */
    private void tellDropped(String why) {
        long now = dropped.sum();
        if (now > told && System.nanoTime() - toldAt >= MINUTE) {
            LOG.log(System.Logger.Level.WARNING, (now - told) + " access log lines were dropped" + why + ".");
            told = now;
            toldAt = System.nanoTime();
        }
    }

    /** Writes the lines that are waiting, for a few seconds at most. */
    @Override
    public void close() {
        closing = true;
        try {
            thread.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
