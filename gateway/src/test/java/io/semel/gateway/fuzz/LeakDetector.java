// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Has Netty look at every buffer, and hears what it says about those that nobody gave back. */
final class LeakDetector extends Handler implements AutoCloseable {

    private static final int ROUNDS = 5;
    private static final int ENOUGH = 1000;

    private final Logger log = Logger.getLogger(ResourceLeakDetector.class.getName());
    private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    private final List<String> said = new CopyOnWriteArrayList<>();

    LeakDetector() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        log.addHandler(this);
    }

    /** Netty tells of a leak when the garbage collector has found it and another buffer is made. */
    void check() {
        for (int i = 0; i < ROUNDS; i++) {
            System.gc();
            for (int made = 0; made < ENOUGH; made++) {
                ByteBufAllocator.DEFAULT.buffer(1).release();
            }
        }
        assertThat(said).as("buffers that nobody gave back").isEmpty();
    }

    @Override
    public void publish(LogRecord line) {
        said.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        log.removeHandler(this);
        ResourceLeakDetector.setLevel(before);
    }
}
