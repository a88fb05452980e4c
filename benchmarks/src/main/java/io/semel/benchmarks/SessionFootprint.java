// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import io.semel.Call;
import io.semel.Retention;
import io.semel.memory.MemoryStore;
import io.semel.session.MemorySessions;
import io.semel.session.Session;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts what is kept of the same requests by sessions whose clients acknowledge answers, and by keys that are remembered for a
 * day: two arguments, how many clients and how many requests of all of them.
 */
public final class SessionFootprint {

    private static final int WINDOW = 16;
    private static final byte[] RESULT = new byte[200];

    public static void main(String[] args) {
        int clients = args.length < 1 ? 10_000 : Integer.parseInt(args[0]);
        int requests = args.length < 2 ? 1_000_000 : Integer.parseInt(args[1]);
        print("sessions", clients, requests, sessions(clients, requests));
        print("keys", clients, requests, keys(requests));
    }

    private static void print(String what, int clients, int requests, Kept kept) {
        System.out.printf(
                "%s: %,d clients, %,d requests: %,d answers kept, %,.1f MB of heap%n",
                what, clients, requests, kept.answers, kept.bytes / 1e6);
    }

    /** Each client has a window of requests outstanding, and acknowledges the oldest with every new one. */
    static Kept sessions(int clients, int requests) {
        long before = Footprint.usedHeap();
        MemorySessions store = new MemorySessions(clients);
        List<Session> sessions = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Session session =
                    new Session(Session.of("tenant-" + i).key(), Session.Mode.SET, WINDOW, Duration.ofHours(1));
            store.register(session);
            sessions.add(session);
        }
        for (int i = 0; i < requests; i++) {
            long number = 1L + i / clients;
            long first = Math.max(1, number - WINDOW + 1);
            Session session = sessions.get(i % clients);
            settle(store, session.key().call(number, first, MemoryStoreBenchmark.PRINT));
        }
        long bytes = Footprint.usedHeap() - before;
        return new Kept(store.countSessions().requests(), bytes);
    }

    static Kept keys(int requests) {
        long before = Footprint.usedHeap();
        MemoryStore store = new MemoryStore(Long.MAX_VALUE);
        for (int i = 0; i < requests; i++) {
            settle(store, Call.of(Keys.number(i), MemoryStoreBenchmark.PRINT));
        }
        long bytes = Footprint.usedHeap() - before;
        return new Kept(store.count().settled(), bytes);
    }

    private static void settle(Store store, Call call) {
        Claim claim = store.claim(call, "holder", MemoryStoreBenchmark.LEASE);
        if (!(claim instanceof Claim.Granted granted)) {
            throw new IllegalStateException("A request was not granted: " + claim);
        }
        Settlement done = new Settlement.Complete(RESULT.clone(), Retention.DEFAULT);
        if (!store.settle(call.key(), "holder", granted.fence(), done)) {
            throw new IllegalStateException("A request was not settled.");
        }
    }

    record Kept(long answers, long bytes) {}

    private SessionFootprint() {}
}
