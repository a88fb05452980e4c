// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import java.util.ArrayDeque;
import java.util.Deque;

/** Native objects in the order of their creation; they are freed in reverse order. */
final class NativeResources implements AutoCloseable {

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
