// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * A new database, and the ways to it.
 *
 * @param port that of its server
 * @param direct over that port
 * @param through over another port; a statement without an answer fails after a second
 * @param hurried for sessions that wait for others no longer than a second
 * @param crash kills the server and starts it again on the same data and port
 */
record Wired(
        int port,
        HikariDataSource direct,
        IntFunction<HikariDataSource> through,
        Supplier<HikariDataSource> hurried,
        Runnable crash) {}
