// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** A real PostgreSQL server, one for all tests of a run. */
final class Postgres {

    private static final EmbeddedPostgres SERVER = start();

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As the profile for PostgreSQL has it. */
    static String[] properties() {
        return new String[] {
            "--spring.profiles.active=postgres",
            "--spring.datasource.url=" + SERVER.getJdbcUrl("postgres", "postgres"),
            "--spring.datasource.username=postgres"
        };
    }

    private Postgres() {}
}
