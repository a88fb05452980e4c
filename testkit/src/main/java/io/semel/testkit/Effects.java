// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.testkit.fault.FlakyStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stands in for the world outside, where effects land; it outlives every crash, and the test counts what is in it. */
public final class Effects {

    private final FlakyStore store;
    private final List<String> landed = new ArrayList<>();
    private final Map<String, String> byKey = new HashMap<>();
    private volatile Gate gate = Gate.opened();
    private volatile Story story = new Story();

    Effects(FlakyStore store) {
        this.store = store;
    }

    /** An effect lands, again if it did before. */
    public void add(String what) {
        arrive();
        synchronized (this) {
            landed.add(what);
            story.add("effect " + landed.size() + ": " + what);
        }
    }

    /**
     * An effect lands unless one with the same key did before, as at a provider that takes idempotency keys: pass
     * {@code attempt.derive("…")}.
     *
     * @return what landed under this key first
     */
    public String addOnce(String key, String what) {
        arrive();
        synchronized (this) {
            String first = byKey.putIfAbsent(key, what);
            if (first == null) {
                landed.add(what);
                story.add("effect " + landed.size() + ": " + what);
                return what;
            }
            story.add("the effect was there before, by its key: " + first);
            return first;
        }
    }

    public synchronized int count() {
        return landed.size();
    }

    /** What landed, in order. */
    public synchronized List<String> list() {
        return List.copyOf(landed);
    }

    void tell(Story listener, Gate overlap) {
        story = listener;
        gate = overlap;
    }

    /** A process that crashed has no effects, even where its service caught the crash and went on. */
    private void arrive() {
        store.checkAlive();
        gate.pass();
    }
}
