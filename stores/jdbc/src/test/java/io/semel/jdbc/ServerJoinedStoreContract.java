// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Outcome;
import java.sql.Connection;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The same on a database that would notice transactions which wait for each other. */
abstract class ServerJoinedStoreContract extends JoinedStoreContract {

    @Test
    void ofTwoTransactionsThatMeetCrosswiseNeitherWaits() throws Exception {
        Call here = Till.newCall();
        Call there = Till.newCall();
        CyclicBarrier step = new CyclicBarrier(2);
        Future<Outcome<String>> other = threads.submit(() -> inBoth(elsewhere, there, here, step));

        assertThat(inBoth(till, here, there, step)).isInstanceOf(Outcome.Busy.class);
        assertThat(other.get()).isInstanceOf(Outcome.Busy.class);
        assertThat(till.charges(here)).isEqualTo(1);
        assertThat(till.charges(there)).isEqualTo(1);
    }

    /** Charges both in one transaction, if it can; what came of the second. */
    private static Outcome<String> inBoth(Till till, Call first, Call second, CyclicBarrier step) throws Exception {
        try (Connection connection = till.begin()) {
            till.charge(connection, first);
            step.await();
            Outcome<String> outcome = till.charge(connection, second);
            step.await();
            connection.commit();
            return outcome;
        }
    }
}
