// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Outcome.Done;
import io.semel.OutcomeUnknown;
import io.semel.testkit.Wire;
import io.semel.testkit.Wire.Moment;
import org.junit.jupiter.api.Test;

class PostgresTransactingFaultTest extends TransactingFaultContract {

    private static final String NAME = "transacting_faults";

    @Override
    HikariDataSource direct() {
        return Postgres.newest().newDatabase(NAME);
    }

    @Override
    HikariDataSource through(int port) {
        return pool(port, "&sslmode=disable&prepareThreshold=0&socketTimeout=1");
    }

    @Override
    HikariDataSource hurried() {
        return pool(port(), "&options=-c%20lock_timeout=100ms");
    }

    private static HikariDataSource pool(int port, String options) {
        return Pools.of("jdbc:postgresql://localhost:" + port + "/" + NAME + "?" + options, "postgres", "");
    }

    @Override
    int port() {
        return Postgres.newest().port();
    }

    @Test
    void withoutALockACommitThatIsNotFoundIsUnknown() throws Exception {
        assertThatThrownBy(() -> charge(store.optimistic(), Moment.BEFORE, Wire.Failure.CUT))
                .isInstanceOf(OutcomeUnknown.class);
        assertThat(charge(store).orThrow()).isEqualTo("charged");
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void withoutALockACommitThatIsFoundIsKnown() throws Exception {
        assertThat(charge(store.optimistic(), Moment.AFTER, Wire.Failure.CUT)).isEqualTo(new Done<>("charged", false));
        assertThat(runs).hasValue(1);
        assertThat(charges()).isEqualTo(1);
    }
}
