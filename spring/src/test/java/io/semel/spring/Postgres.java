// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.testservers.PostgresServer;
import java.util.concurrent.atomic.AtomicInteger;

/** New databases in the server for all tests of a run. */
final class Postgres {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** The address of a new, empty database. */
    static String newUrl() {
        return PostgresServer.shared().newDatabase("test" + DATABASES.incrementAndGet());
    }

    private Postgres() {}
}
