// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/** A process that claims and completes one key after the other in many threads, and says what was acknowledged, until it is killed. */
final class Victim {

    static final Duration LEASE = Duration.ofHours(1);

    private static final Retention SHORTEST = Retention.of(Duration.ofNanos(1), Duration.ZERO);
    private static final int CALLERS = 8;

    public static void main(String[] args) {
        RocksStore store = RocksStore.open(Path.of(args[0]));
        for (int i = 0; i < CALLERS; i++) {
            new Thread(() -> work(store)).start();
        }
        // A purge now and then, so that it is killed too.
        new Thread(() -> purge(store)).start();
    }

    private static void work(RocksStore store) {
        while (true) {
            Key key = key(UUID.randomUUID().toString());
            Claim.Granted granted = (Claim.Granted) store.claim(call(key), "victim", LEASE);
            say("claimed " + key.id() + " " + granted.fence());
            boolean kept = isKept(granted.fence());
            Retention retention = kept ? Retention.DEFAULT : SHORTEST;
            if (store.settle(key, "victim", granted.fence(), new Settlement.Complete(result(key), retention)) && kept) {
                say("settled " + key.id());
            }
        }
    }

    private static void purge(RocksStore store) {
        while (true) {
            store.purge(100);
        }
    }

    /** Half of what it settles is purged at once. */
    static boolean isKept(long fence) {
        return fence % 2 == 0;
    }

    static Key key(String id) {
        return Key.of("victim", id);
    }

    static Call call(Key key) {
        return Call.of(key, Fingerprint.none());
    }

    static byte[] result(Key key) {
        return ("result of " + key.id()).getBytes(StandardCharsets.UTF_8);
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        // Else it would live on when the test that is to kill it was killed itself.
        if (System.out.checkError()) {
            Runtime.getRuntime().halt(1);
        }
    }

    private Victim() {}
}
