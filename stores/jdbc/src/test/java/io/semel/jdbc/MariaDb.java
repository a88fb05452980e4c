// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.testservers.MariaDbServer;

/** A MariaDB server for all tests of a run, and the ways to it. */
final class MariaDb {

    static final String USER = MariaDbServer.USER;
    static final String PASSWORD = MariaDbServer.PASSWORD;

    /** The two drivers that speak to it. */
    enum Driver {
        MARIADB("jdbc:mariadb"),
        MYSQL("jdbc:mysql");

        private final String scheme;

        Driver(String scheme) {
            this.scheme = scheme;
        }

        private String url(int port, String database) {
            return scheme + "://127.0.0.1:" + port + "/" + database;
        }
    }

    /** For tests that kill it. */
    static MariaDbServer killable() {
        return Killable.SERVER;
    }

    /** The address of a new, empty database of that name, for that driver. */
    static String newUrl(String name, Driver driver) {
        return newUrl(MariaDbServer.shared(), name, driver);
    }

    /** The same in that server. */
    static String newUrl(MariaDbServer server, String name, Driver driver) {
        server.newDatabase(name);
        return driver.url(server.port(), name);
    }

    /** A new database of that name in a server that may be killed, and the ways to it. */
    static Wired wired(String name, Driver driver) {
        MariaDbServer server = killable();
        String url = newUrl(server, name, driver);
        return new Wired(
                server.port(),
                Pools.of(url, USER, PASSWORD),
                port -> Pools.of(driver.url(port, name) + "?socketTimeout=1000", USER, PASSWORD),
                () -> Pools.of(url + "?sessionVariables=innodb_lock_wait_timeout=1", USER, PASSWORD),
                server::crash);
    }

    private static final class Killable {
        static final MariaDbServer SERVER = MariaDbServer.start();
    }

    private MariaDb() {}
}
