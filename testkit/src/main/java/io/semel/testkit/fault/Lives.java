// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import io.semel.Key;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The claims of a process that can crash: those of its present life, and those that it left behind. */
final class Lives {

    private final Map<String, Held> held = new HashMap<>();
    private final Map<String, Held> leftBehind = new HashMap<>();
    private @Nullable String crash;

    synchronized void crash(String when) {
        if (crash == null) {
            crash = when;
            leftBehind.putAll(held);
            held.clear();
        }
    }

    synchronized void restart() {
        crash = null;
    }

    synchronized boolean crashed() {
        return crash != null;
    }

    /** A holder of an earlier life stays dead after a restart: its thread may still run, but its process is gone. */
    synchronized boolean isDead(String holder) {
        return crash != null || leftBehind.containsKey(holder);
    }

    synchronized void checkAlive() {
        if (crash != null) {
            throw new SimulatedCrash(crash);
        }
    }

    synchronized void checkAlive(String holder) {
        checkAlive();
        if (leftBehind.containsKey(holder)) {
            throw new SimulatedCrash("This attempt belongs to a process that crashed before");
        }
    }

    synchronized void holds(String holder, Key key) {
        if (crash == null) {
            held.put(holder, new Held(key, 0));
        } else {
            leftBehind.put(holder, new Held(key, 0));
        }
    }

    /** Its fence is known now, also if the process has crashed meanwhile. */
    synchronized void granted(String holder, long fence) {
        held.computeIfPresent(holder, (token, claim) -> new Held(claim.key(), fence));
        leftBehind.computeIfPresent(holder, (token, claim) -> new Held(claim.key(), fence));
    }

    synchronized void ended(String holder) {
        held.remove(holder);
    }

    /** The claims that nobody will end any more, by holder. */
    synchronized Map<String, Held> leftBehind() {
        return Map.copyOf(leftBehind);
    }

    /** A claim of a process; its fence is zero until it is granted. */
    record Held(Key key, long fence) {}
}
