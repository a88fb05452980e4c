// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import io.semel.StoreException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What goes wrong at one point of a {@link FlakyStore}: the second half of a sentence such as {@code store.next(point).fails()}. */
public final class Fault {

    private final FlakyStore store;
    private final CrashPoint point;
    private final Consumer<Runnable> script;

    Fault(FlakyStore store, CrashPoint point, Consumer<Runnable> script) {
        this.store = store;
        this.point = point;
        this.script = script;
    }

    /** The store throws, as if the connection broke: at a BEFORE point nothing was applied, at an AFTER point all of it was. */
    public void fails() {
        fails(() -> new StoreException("The flaky store failed at " + point + ", as the test asked.", null));
    }

    /** The store throws this. */
    public void fails(Supplier<? extends RuntimeException> exception) {
        script.accept(() -> {
            throw exception.get();
        });
    }

    /** The process dies: the caller is unwound by {@link SimulatedCrash}, see {@link FlakyStore#crash}. */
    public void crashes() {
        script.accept(() -> store.die(point));
    }

    /** The store takes this long, by its own time. */
    public void takes(Duration span) {
        script.accept(() -> store.sleep(span));
    }

    /** The store does not come back, interrupted or not, until what is returned is counted down. */
    public CountDownLatch hangs() {
        CountDownLatch released = new CountDownLatch(1);
        script.accept(() -> FlakyStore.hang(released));
        return released;
    }

    /** Something of the test's own happens on the calling thread, such as waiting for another one. */
    public void runs(Runnable action) {
        script.accept(action);
    }
}
