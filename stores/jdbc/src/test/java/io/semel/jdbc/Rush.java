// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A process in which many threads make the same call at once. */
final class Rush {

    private static final int THREADS = 100;

    private final HikariDataSource pool;
    private final Level level;
    private final Call call;

    Rush(HikariDataSource pool, Level level, String id) {
        this.pool = pool;
        this.level = level;
        this.call = Call.of(Key.of("payments", id), Fingerprint.of("500 EUR"));
    }

    /** Says when it is ready, waits for a line, and prints the answers that its threads got. */
    public static void main(String[] arguments) throws Exception {
        try (HikariDataSource pool = Pools.of(arguments[0], arguments[1], arguments[2])) {
            Rush rush = new Rush(pool, Level.valueOf(arguments[3]), arguments[4]);
            Callable<Set<String>> answers = rush.ready();
            System.out.println("ready");
            System.in.read();
            answers.call().forEach(System.out::println);
        }
    }

    /** The same in another process. */
    static Process start(HikariDataSource pool, Level level, String id) throws Exception {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Rush.class.getName(),
                        pool.getJdbcUrl(),
                        pool.getUsername(),
                        pool.getPassword(),
                        level.name(),
                        id)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Starts the threads; calling what it gives lets them go and returns all answers that they got. */
    Callable<Set<String>> ready() {
        Callable<String> once = level == Level.JOINED ? joined() : leased();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<String>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            all.add(threads.submit(() -> {
                start.await();
                return once.call();
            }));
        }
        return () -> {
            start.countDown();
            Set<String> answers = new TreeSet<>();
            for (Future<String> each : all) {
                answers.add(each.get());
            }
            threads.shutdown();
            return answers;
        };
    }

    private Callable<String> joined() {
        Till till = new Till(pool);
        return () -> till.untilItCommits(
                        Connection.TRANSACTION_READ_COMMITTED,
                        connection -> till.engine.run(call, Till.UTF8, attempt -> {
                            Till.insert(connection, call);
                            return whoever();
                        }))
                .orThrow();
    }

    private Callable<String> leased() {
        Engine engine =
                Engine.on(JdbcStore.on(pool)).with(Operation.named("charge").waitWhenBusy(Duration.ofMinutes(1)));
        return () -> engine.run(call, Till.UTF8, attempt -> chargeAlone()).orThrow();
    }

    private String chargeAlone() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            Till.insert(connection, call);
            return whoever();
        }
    }

    private static String whoever() {
        return ProcessHandle.current().pid() + "/" + Thread.currentThread().getName();
    }

    static String read(Process process) throws Exception {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
    }
}
