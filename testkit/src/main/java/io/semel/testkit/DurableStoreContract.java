// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

/** The {@link StoreContract} of a store that promises durability: what it acknowledged survives its crash (S11). */
public abstract class DurableStoreContract extends StoreContract implements CrashLaws {

    /**
     * Kills the process of the backend, or what stands for it, without a chance to write anything more, and starts it again
     * on the same data. Handles opened before may be dead afterwards; calls that are in flight throw.
     */
    protected abstract void crash();
}
