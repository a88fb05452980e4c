// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A database that understands PostgreSQL and whose advisory locks do nothing: the unique key alone makes it correct. */
class PostgresWithoutLocksTest extends TransactingStoreContract {

    private final HikariDataSource pool = unlocked("without_locks");
    private final HikariDataSource narrow = Pools.ofOne(pool.getJdbcUrl(), "postgres", "");

    /** A new database of that name; names in a schema before the server's own are found first. */
    static HikariDataSource unlocked(String database) {
        String url = Postgres.newest().newUrl(database);
        try (HikariDataSource pool = Pools.of(url, "postgres", "")) {
            Admin admin = Admin.of(pool);
            admin.execute("CREATE SCHEMA idle");
            for (String name : List.of("pg_try_advisory_xact_lock", "pg_advisory_xact_lock")) {
                admin.execute(
                        "CREATE FUNCTION idle." + name + "(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true'");
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return Pools.of(url + "&options=-c%20search_path=idle,pg_catalog,public", "postgres", "");
    }

    @Override
    boolean locks() {
        return false;
    }

    @Override
    HikariDataSource database() {
        return pool;
    }

    @Override
    HikariDataSource withOneConnection() {
        return narrow;
    }

    @Test
    void bothOfTwoProcessesRunButOneCommits() throws SQLException {
        TransactingStore other = store(pool);
        Call call = Till.newCall();
        AtomicInteger runs = new AtomicInteger();

        Outcome<String> late = engine.run(call, Till.UTF8, attempt -> {
            runs.incrementAndGet();
            Till.insert(store.connection(attempt), call);
            engine(other).run(call, Till.UTF8, charging(other, call));
            return "charged too";
        });

        assertThat(late).isEqualTo(new Done<>("charged", true));
        assertThat(runs).hasValue(1);
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void ofManyTransactionsThatAreJoinedOneCommits() throws Exception {
        Call call = Till.newCall();
        List<Outcome<String>> outcomes = rush(
                8,
                i -> till.untilItCommits(
                        Connection.TRANSACTION_READ_COMMITTED, connection -> till.charge(connection, call)));

        assertThat(outcomes).allSatisfy(each -> assertThat(each.orThrow()).isEqualTo("charged"));
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @AfterAll
    void stop() {
        narrow.close();
        pool.close();
    }
}
