// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

/** The {@link StoreContract} of a store that promises durability: what it acknowledged survives its crash (S11). */
public abstract class DurableStoreContract extends StoreContract implements CrashLaws {

    /** What {@link #killAndRestart} is to do. */
    protected abstract void crash();

    @Override
    public final void killAndRestart() {
        crash();
    }
}
