// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.testservers.PostgresServer;
import io.semel.testservers.PostgresServer.Version;

/** A PostgreSQL server for all tests of a run, and the ways to it. */
final class Postgres {

    private final PostgresServer server;

    private Postgres(PostgresServer server) {
        this.server = server;
    }

    /** The one that all other modules' tests use too: nobody kills it. */
    static Postgres newest() {
        return Newest.SERVER;
    }

    /** For tests that kill it. */
    static Postgres killable() {
        return Killable.SERVER;
    }

    /** For tests that kill it, and all others of that version. */
    static Postgres oldest() {
        return Oldest.SERVER;
    }

    void crash() {
        server.crash();
    }

    /** A pool on a new, empty database of that name. */
    HikariDataSource newDatabase(String name) {
        return Pools.of(newUrl(name), PostgresServer.USER, "");
    }

    /** The address of a new, empty database of that name. */
    String newUrl(String name) {
        return server.newDatabase(name);
    }

    /** A new database of that name, and the ways to it. */
    Wired wired(String name) {
        return new Wired(
                server.port(),
                newDatabase(name),
                // Prepared by name, statements would not say on the wire what they are.
                port -> pool(port, name, "sslmode=disable&prepareThreshold=0&socketTimeout=1"),
                () -> pool(server.port(), name, "options=-c%20lock_timeout=100ms"),
                this::crash);
    }

    private static HikariDataSource pool(int port, String name, String options) {
        return Pools.of("jdbc:postgresql://localhost:" + port + "/" + name + "?" + options, PostgresServer.USER, "");
    }

    private static final class Newest {
        static final Postgres SERVER = new Postgres(PostgresServer.shared());
    }

    private static final class Killable {
        static final Postgres SERVER = new Postgres(PostgresServer.start(Version.NEWEST));
    }

    private static final class Oldest {
        static final Postgres SERVER = new Postgres(PostgresServer.start(Version.OLDEST));
    }
}
