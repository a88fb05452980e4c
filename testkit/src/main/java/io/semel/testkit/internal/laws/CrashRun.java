// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Call;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement.Complete;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Callers that claim and complete one slot after another until the store crashes under them, and what they were promised. */
public final class CrashRun {

    private static final int CALLERS = 4;

    private final Bench before;
    private final Queue<Call> claimed = new ConcurrentLinkedQueue<>();
    private final Queue<Call> completed = new ConcurrentLinkedQueue<>();
    private final CountDownLatch busy = new CountDownLatch(100);
    private volatile boolean over;

    public CrashRun(Bench before) {
        this.before = before;
    }

    /** The last runner crashes the store under the others. */
    public Bench crash() {
        return Race.of(CALLERS + 1, i -> () -> i < CALLERS ? work("caller " + i) : crashWhenBusy())
                .get(CALLERS);
    }

    public void expectEverythingPromised(Bench after) {
        for (Call call : completed) {
            Expect.answer(result(call), after.retry(call));
        }
        for (Call call : claimed) {
            assertFalse(after.retry(call) instanceof Claim.Granted, () -> call.key() + " was granted twice");
        }
    }

    private Bench work(String caller) {
        for (int i = 0; !over; i++) {
            try {
                live(before.call(before.key(caller + ", key " + i)));
            } catch (StoreException inTheCrash) {
                // Nothing was promised.
            }
        }
        return before;
    }

    private void live(Call call) {
        before.granted(call, call.key().id());
        claimed.add(call);
        busy.countDown();
        if (before.settle(call.key(), call.key().id(), new Complete(result(call), Bench.KEPT))) {
            completed.add(call);
        }
    }

    private Bench crashWhenBusy() throws InterruptedException {
        try {
            assertTrue(busy.await(1, TimeUnit.MINUTES), "callers are at it");
            return before.crash();
        } finally {
            over = true;
        }
    }

    private static byte[] result(Call call) {
        return Expect.bytes("result of " + call.key().id());
    }
}
