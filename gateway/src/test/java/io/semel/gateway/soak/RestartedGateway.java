// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.soak;

import io.semel.gateway.RunningProgram;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** A program that is killed with -9 from time to time, and started again on its port. */
final class RestartedGateway implements AutoCloseable {

    private final IntFunction<RunningProgram> start;
    private final String ready;
    private final int port;
    private final AtomicInteger kills = new AtomicInteger();
    private volatile RunningProgram running;

    RestartedGateway(IntFunction<RunningProgram> start, String portSaid, String ready) {
        this.start = start;
        this.ready = ready;
        this.running = start.apply(0);
        this.port = Integer.parseInt(running.await(portSaid).group(1));
        running.await(ready);
    }

    int port() {
        return port;
    }

    RunningProgram running() {
        return running;
    }

    int kills() {
        return kills.get();
    }

    Void killUntil(long end, Duration life) throws InterruptedException {
        for (long left = end - System.nanoTime(); left > life.toNanos(); left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.sleep(life.toNanos());
            running.kill();
            kills.incrementAndGet();
            running = start.apply(port);
            running.await(ready);
        }
        return null;
    }

    @Override
    public void close() {
        running.close();
    }
}
