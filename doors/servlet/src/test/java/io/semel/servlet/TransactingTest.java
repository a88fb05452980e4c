// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.Attempt;
import io.semel.jdbc.TransactingStore;
import io.semel.store.Store;
import java.sql.Connection;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that begins and commits the transaction itself: the filter needs nothing around it. */
@ParameterizedClass
@EnumSource(Container.class)
class TransactingTest extends JoinedContract {

    private final TransactingStore transacting = TransactingStore.on(Till.POOL);

    @Override
    Store joined() {
        return transacting;
    }

    @Override
    Connection connection(Attempt attempt) {
        return transacting.connection(attempt);
    }

    @Override
    IdempotencyFilter surrounded(IdempotencyFilter plain) {
        return plain;
    }
}
