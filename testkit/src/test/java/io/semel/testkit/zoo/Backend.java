// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Key;
import io.semel.StoreException;
import io.semel.testkit.ManualTime;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.platform.commons.support.ReflectionSupport;

/** What the handles of one plain store share: its memory, its disk and its time. */
final class Backend {

    private static final ThreadLocal<Backend> OPENING = new ThreadLocal<>();

    final ManualTime time = new ManualTime();
    final Map<Object, Row> rows = new HashMap<>();
    final Map<Object, Row> disk = new HashMap<>();
    /** For wrong stores that keep something more. */
    final Map<Object, Long> extras = new HashMap<>();

    private final Map<String, Key> tokens = new HashMap<>();

    long fence;
    long fenceOnDisk;
    int handles;

    /** The keys on which it blocks, each until its latch is open. */
    final Map<Key, CountDownLatch> blocked = new ConcurrentHashMap<>();

    AutoCloseable block(Key key) {
        CountDownLatch latch = new CountDownLatch(1);
        blocked.put(key, latch);
        return () -> {
            blocked.remove(key);
            latch.countDown();
        };
    }

    void awaitUnblocked(Key key) {
        CountDownLatch latch = blocked.get(key);
        try {
            if (latch != null) {
                latch.await();
            }
        } catch (InterruptedException e) {
            throw new StoreException("interrupted", e);
        }
    }

    PlainStore open(Class<? extends PlainStore> type) {
        OPENING.set(this);
        try {
            return ReflectionSupport.newInstance(type);
        } finally {
            OPENING.remove();
        }
    }

    /** The backend of the handle that is being made, which spares every wrong store a constructor. */
    static Backend opening() {
        return OPENING.get();
    }

    /** What a store may demand of its callers, so that the contract itself keeps to it. */
    synchronized void demand(Key key, String holder) {
        if (!key.equals(tokens.computeIfAbsent(holder, unused -> key))) {
            throw new IllegalArgumentException("This holder was not made for one attempt alone: " + holder);
        }
    }

    /** The process dies; the next one reads the disk. */
    synchronized void crash() {
        rows.clear();
        disk.forEach((at, row) -> rows.put(at, row.clone()));
        fence = fenceOnDisk;
    }
}
