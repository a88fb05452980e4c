// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operator;
import io.semel.Outcome;
import io.semel.store.Slot;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A key that was claimed so often that its attempts are not counted any more: operators decide about it all the same. */
class MostAttemptsTest {

    private static final Call CALL = Call.of(Key.of("payments", "order-17"), Fingerprint.none());

    @ParameterizedTest
    @EnumSource
    void anOperatorDecidesAboutAKeyWhoseAttemptsAreNotCountedAnyMore(Dialect dialect) throws SQLException {
        try (HikariDataSource pool = Pools.fresh(dialect, "most_attempts")) {
            Schema.create(pool);
            Engine engine = Engine.on(JdbcStore.on(pool));
            Operator operator = engine.operator("ann");

            Slot lapsed = lapsed(engine, operator, pool);
            assertThat(operator.resolve(lapsed, Codec.utf8(), "paid")).isEqualTo(Operator.Result.APPLIED);
            assertThat(engine.run(CALL, Codec.utf8(), attempt -> "paid again"))
                    .isEqualTo(new Outcome.Done<>("paid", true));

            execute(pool, "DELETE FROM semel_slot");
            Slot other = lapsed(engine, operator, pool);
            assertThat(operator.release(other)).isEqualTo(Operator.Result.APPLIED);
            assertThat(operator.release(other)).isNotEqualTo(Operator.Result.APPLIED);
            assertThat(engine.run(CALL, Codec.utf8(), attempt -> "paid")).isEqualTo(new Outcome.Done<>("paid", false));
        }
    }

    private static Slot lapsed(Engine engine, Operator operator, HikariDataSource pool) throws SQLException {
        ((Begun.Started<String>) engine.begin(CALL, Codec.utf8())).abandon();
        execute(pool, "UPDATE semel_slot SET attempts = 32767");
        Slot lapsed = operator.look(CALL.key()).orElseThrow();
        assertThat(lapsed.attempts()).isEqualTo(Short.MAX_VALUE);
        return lapsed;
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
