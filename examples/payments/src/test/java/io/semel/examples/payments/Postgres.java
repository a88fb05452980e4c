// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import io.semel.testservers.PostgresServer;

/** A new database in the server for all tests of a run. */
final class Postgres {

    /** As the profile for PostgreSQL has it. */
    static String[] properties() {
        return new String[] {
            "--spring.profiles.active=postgres",
            "--spring.datasource.url=" + PostgresServer.shared().newDatabase("payments"),
            "--spring.datasource.username=" + PostgresServer.USER
        };
    }

    private Postgres() {}
}
