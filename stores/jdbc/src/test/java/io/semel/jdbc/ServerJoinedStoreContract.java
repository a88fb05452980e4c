// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.StoreException;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The same on a database that notices transactions which wait for each other. */
abstract class ServerJoinedStoreContract extends JoinedStoreContract {

    @Test
    void ofTwoTransactionsThatWaitForEachOtherOneIsToldToBeginAgain() throws Exception {
        Call here = Till.newCall();
        Call there = Till.newCall();
        CyclicBarrier taken = new CyclicBarrier(2);
        List<Throwable> lost = new CopyOnWriteArrayList<>();
        Future<?> other = threads.submit(() -> inBoth(there, here, lost, taken::await));
        inBoth(here, there, lost, taken::await);
        other.get();

        assertThat(lost).hasSize(1);
        assertThat(lost.get(0))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("lost against another one; roll it back and begin again");
        assertThat(till.charges(here)).isEqualTo(1);
        assertThat(till.charges(there)).isEqualTo(1);
    }

    /** Charges both in one transaction, or neither if it loses. */
    private Void inBoth(Call first, Call second, List<Throwable> lost, Callable<Integer> between) throws Exception {
        try (Connection connection = till.begin()) {
            till.charge(connection, first);
            between.call();
            try {
                till.charge(connection, second);
                connection.commit();
            } catch (StoreException e) {
                lost.add(e);
                connection.rollback();
            }
        }
        return null;
    }
}
