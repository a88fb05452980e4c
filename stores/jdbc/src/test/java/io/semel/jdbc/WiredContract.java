// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.testkit.fault.Wire;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A real database behind a network that can fail. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
abstract class WiredContract {

    Wired database;
    HikariDataSource direct;
    Wire wire;
    HikariDataSource wired;
    Till till;

    abstract Wired open();

    @BeforeAll
    void connect() {
        database = open();
        direct = database.direct();
        Schema.create(direct);
        till = new Till(direct);
        wire = Wire.to(database.port());
        wired = database.through().apply(wire.port());
    }

    @AfterAll
    void disconnect() throws Exception {
        wired.close();
        wire.close();
        direct.close();
    }
}
