// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import java.util.ArrayDeque;
import java.util.Deque;

/** Native objects in the order of their making; they are freed in the reverse order. */
final class Natives implements AutoCloseable {

    private final Deque<AutoCloseable> made = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T object) {
        made.push(object);
        return object;
    }

    @Override
    public void close() {
        while (!made.isEmpty()) {
            close(made.pop());
        }
    }

    private static void close(AutoCloseable object) {
        try {
            object.close();
        } catch (Exception e) {
            throw new IllegalStateException("A native object does not close: " + object, e);
        }
    }
}
