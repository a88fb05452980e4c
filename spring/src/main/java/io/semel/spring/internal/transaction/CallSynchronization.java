// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.springframework.transaction.support.TransactionSynchronization;

/** A synchronization that tells rollbacks to savepoints before the call, which undo the call, from rollbacks to later ones. */
public abstract class CallSynchronization implements TransactionSynchronization {

    private final Set<Object> later = Collections.newSetFromMap(new IdentityHashMap<>());

    @Override
    public final void savepoint(Object savepoint) {
        later.add(savepoint);
    }

    @Override
    public final void savepointRollback(Object savepoint) {
        if (!later.contains(savepoint)) {
            undone();
        }
    }

    /** The call was rolled back with a savepoint. */
    protected abstract void undone();
}
