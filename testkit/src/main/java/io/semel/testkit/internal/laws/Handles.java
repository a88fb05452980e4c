// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import io.semel.store.Store;
import java.util.ArrayList;
import java.util.List;

/** The handles that one test opened. */
final class Handles implements AutoCloseable {

    private final List<Store> open = new ArrayList<>();
    private final List<Store> dead = new ArrayList<>();

    synchronized Store add(Store handle) {
        open.add(handle);
        return handle;
    }

    /** Their backend is about to crash. */
    synchronized void giveUp() {
        dead.addAll(open);
        open.clear();
    }

    @Override
    public synchronized void close() {
        dead.forEach(Handles::closeDead);
        open.forEach(Handles::close);
    }

    private static void close(Store handle) {
        if (handle instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new AssertionError("A handle does not close: " + e, e);
            }
        }
    }

    /** A handle on a backend that crashed owes nobody an orderly end. */
    private static void closeDead(Store handle) {
        if (handle instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception expected) {
                // The test is about what comes after the crash.
            }
        }
    }
}
