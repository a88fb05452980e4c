// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Key;
import io.semel.store.Store;
import io.semel.testkit.store.DurableStoreContract;
import java.time.Duration;

/** The contract around whichever store was put in last. */
class Cage extends DurableStoreContract {

    private static volatile Class<? extends PlainStore> next = InspectableStore.class;

    private final Class<? extends PlainStore> animal = next;
    private final Backend backend = new Backend();

    /** What the contract is run on from now. */
    static void put(Class<? extends PlainStore> animal) {
        next = animal;
    }

    @Override
    protected Store open() {
        return backend.open(animal);
    }

    @Override
    protected void elapse(Duration span) {
        backend.time.pause(span);
    }

    @Override
    protected Store failing() {
        PlainStore failing = backend.open(animal);
        failing.failing = true;
        return failing;
    }

    @Override
    protected AutoCloseable blocked(Key key) {
        return backend.block(key);
    }

    @Override
    protected void crash() {
        backend.crash();
    }
}
