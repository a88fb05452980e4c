// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import io.semel.Call;
import io.semel.Key;
import io.semel.Retention;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.nio.charset.StandardCharsets;

/** Measures the heap that live keys take in a memory store, beside their own bytes: one argument, how many keys. */
public final class Footprint {

    private static final int RESULT = 200;

    public static void main(String[] args) {
        int keys = args.length == 0 ? 1_000_000 : Integer.parseInt(args[0]);
        System.out.printf("%,d live keys: %.1f bytes of heap each, beside key and result%n", keys, overhead(keys));
    }

    static double overhead(int keys) {
        MemoryStore store = new MemoryStore(Long.MAX_VALUE);
        long before = usedHeap();
        long content = 0;
        for (int i = 0; i < keys; i++) {
            Key key = Keys.number(i);
            content += RESULT + utf8(key.scope()) + utf8(key.id());
            Claim claim = store.claim(Call.of(key, MemoryStoreBenchmark.PRINT), "holder", MemoryStoreBenchmark.LEASE);
            long fence = ((Claim.Granted) claim).fence();
            store.settle(key, "holder", fence, new Settlement.Complete(new byte[RESULT], Retention.DEFAULT));
        }
        long after = usedHeap();
        if (store.count().settled() != keys) {
            throw new IllegalStateException("The store does not hold what was put into it.");
        }
        return (after - before - content) / (double) keys;
    }

    static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static int utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private Footprint() {}
}
