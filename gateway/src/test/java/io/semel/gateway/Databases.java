// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.semel.testservers.MariaDbServer;
import io.semel.testservers.PostgresServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** New databases in real servers, by their URL. */
public final class Databases {

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /** A new database in PostgreSQL. */
    public static String postgresql() {
        PostgresServer server = PostgresServer.shared();
        String name = newName();
        server.newDatabase(name);
        return url("postgresql", PostgresServer.USER, "postgres", server.port(), name);
    }

    /** A new database in MariaDB, whose password has everything in it that a URL gives a meaning to. */
    public static String mariadb() {
        MariaDbServer server = MariaDbServer.shared();
        String name = newName();
        server.newDatabase(name);
        return url("mariadb", MariaDbServer.USER, MariaDbServer.PASSWORD, server.port(), name);
    }

    private static String newName() {
        return "semel" + NUMBERS.incrementAndGet();
    }

    private static String url(String scheme, String user, String password, int port, String name) {
        String encoded = URLEncoder.encode(password, StandardCharsets.UTF_8);
        return scheme + "://" + user + ":" + encoded + "@127.0.0.1:" + port + "/" + name;
    }

    private Databases() {}
}
