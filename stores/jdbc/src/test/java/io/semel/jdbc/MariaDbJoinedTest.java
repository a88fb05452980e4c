// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.StoreException;
import java.sql.Connection;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class MariaDbJoinedTest extends ServerJoinedStoreContract {

    /** The default from MariaDB 11.6 on. */
    private static final String SNAPSHOTS = "?sessionVariables=innodb_snapshot_isolation=ON";

    private final HikariDataSource pool = Pools.of(
            MariaDb.newUrl(MariaDb.killable(), "joined_mariadb", MariaDb.Driver.MARIADB) + SNAPSHOTS,
            MariaDb.USER,
            MariaDb.PASSWORD);

    @Override
    HikariDataSource database() {
        return pool;
    }

    @Test
    void whereTheServerUndoesTransactionsThatWaitTooLongTheyMustBeginAgain() throws Exception {
        MariaDb.killable().crash("--innodb-rollback-on-timeout=ON");
        pool.getHikariPoolMXBean().softEvictConnections();
        Call call = Till.newCall();
        Call earlier = Till.newCall();
        try (Connection connection = till.begin()) {
            till.charge(connection, call);
            Future<?> told = threads.submit(() -> till.inTransaction(second -> {
                till.charge(second, earlier);
                return elsewhere.charge(second, call);
            }));

            assertThatThrownBy(told::get)
                    .cause()
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(call.key().id())
                    .hasMessageContaining("roll it back and try again later")
                    .hasMessageContaining("innodb_lock_wait_timeout");
            connection.commit();
            assertThat(till.charges(earlier)).isZero();
        } finally {
            MariaDb.killable().crash();
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
