// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.LeaseLost;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresJoinedTest extends ServerJoinedStoreContract {

    private final HikariDataSource pool = Postgres.newest().newDatabase("joined");

    @Override
    HikariDataSource database() {
        return pool;
    }

    @Test
    void whoLosesAgainstAnotherRecordKeepsNothingEvenIfItCommits() throws Exception {
        Call call = Till.newCall();
        try (Connection connection = till.begin()) {
            assertThatThrownBy(() -> till.engine.run(call, Till.UTF8, attempt -> {
                        Till.insert(connection, call);
                        settleElsewhere(call);
                        return "charged";
                    }))
                    .isInstanceOf(LeaseLost.class);
            connection.commit();
        }

        assertThat(till.charges(call)).isZero();
        assertThat(till.charge(call)).isEqualTo(new Done<>("elsewhere", true));
    }

    /** By a store that knows nothing of the lock, as on databases whose advisory locks do nothing. */
    private void settleElsewhere(Call call) {
        Engine.on(TransactingStore.on(pool).optimistic()).run(call, Till.UTF8, attempt -> "elsewhere");
    }

    private static String text(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "7s"})
    void theCallersOwnLockTimeoutIsLeftAsItWas(String own) throws Exception {
        till.inTransaction(connection -> {
            try (var statement = connection.createStatement()) {
                statement.execute("SET LOCAL lock_timeout = '" + own + "'");
                Outcome<String> outcome = till.charge(connection, Till.newCall());
                assertThat(text(connection, "SHOW lock_timeout")).isEqualTo(own);
                return outcome;
            }
        });
    }

    @AfterAll
    void stop() {
        pool.close();
    }

    @Test
    void nothingIsClaimedInATransactionThatHasFailedAlready() throws Exception {
        Call call = Till.newCall();
        try (Connection connection = till.begin();
                var statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("SELECT 1 / 0")).isInstanceOf(SQLException.class);

            assertThatThrownBy(() -> till.charge(connection, call))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("roll it back and begin again");
            connection.rollback();
        }
        assertThat(till.charge(call).orThrow()).isEqualTo("charged");
        assertThat(till.charges(call)).isEqualTo(1);
    }
}
