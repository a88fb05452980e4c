// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Requests whose transactions lose against others, on PostgreSQL, which lets one of two win where both would be wrong. */
class HttpSerializableTest {

    private static volatile @Nullable CyclicBarrier together;
    private static Web web;
    private static JdbcClient database;

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Shifts.class)
    static class App {}

    /** Numbers what it writes by what it sees. */
    @RestController
    static class Shifts {

        private final JdbcClient database;

        Shifts(JdbcClient database) {
            this.database = database;
            database.sql("CREATE TABLE shift (number INT NOT NULL)").update();
        }

        @Transactional(isolation = Isolation.REPEATABLE_READ)
        @PostMapping("/old-shifts")
        public String takeOfOld(@RequestBody String who) throws Exception {
            return take(who);
        }

        @Transactional(isolation = Isolation.SERIALIZABLE)
        @PostMapping("/shifts")
        public String take(@RequestBody String who) throws Exception {
            int number = count(database);
            database.sql("INSERT INTO shift VALUES (?)").param(number).update();
            CyclicBarrier barrier = together;
            if (barrier != null) {
                barrier.await(20, TimeUnit.SECONDS);
            }
            return who + " has shift " + number;
        }
    }

    @BeforeAll
    static void start() {
        web = Web.onPostgres(App.class);
        database = web.bean(JdbcClient.class);
    }

    @AfterAll
    static void stop() {
        web.close();
    }

    private static int count(JdbcClient database) {
        return database.sql("SELECT COUNT(*) FROM shift").query(Integer.class).single();
    }

    private static Got take(String key) throws Exception {
        return take("/shifts", key);
    }

    private static Got take(String path, String key) throws Exception {
        return web.post(path, "{\"who\":\"" + key + "\"}", key);
    }

    @Test
    void ofTwoThatCannotBothBeRightOneCommitsAndTheOtherRunsAtItsRetry() throws Exception {
        int before = count(database);
        List<String> keys =
                List.of(UUID.randomUUID().toString(), UUID.randomUUID().toString());
        together = new CyclicBarrier(2);
        ExecutorService clients = Executors.newFixedThreadPool(2);
        Got[] answers = new Got[2];
        try {
            List<Future<Got>> both =
                    keys.stream().map(key -> clients.submit(() -> take(key))).toList();
            answers[0] = both.get(0).get(30, TimeUnit.SECONDS);
            answers[1] = both.get(1).get(30, TimeUnit.SECONDS);
        } finally {
            together = null;
            clients.shutdown();
        }

        assertThat(Stream.of(answers).map(Got::status)).containsExactlyInAnyOrder(200, 409);
        int lost = answers[0].status() == 409 ? 0 : 1;
        assertThat(answers[lost].problem()).isEqualTo("outcome-unknown");
        assertThat(answers[lost].header("Retry-After")).isEqualTo("1");
        assertThat(count(database)).isEqualTo(before + 1);
        assertThat(take(keys.get(lost)).text()).endsWith(" has shift " + (before + 1));
        assertThat(take(keys.get(1 - lost)).text()).isEqualTo(answers[1 - lost].text());
        assertThat(count(database)).isEqualTo(before + 2);
    }

    @Test
    void aDuplicateIsRefusedWhileTheFirstRunsAndGetsItsAnswerLater() throws Exception {
        int before = count(database);
        String key = UUID.randomUUID().toString();
        CyclicBarrier first = new CyclicBarrier(2);
        together = first;
        ExecutorService clients = Executors.newFixedThreadPool(2);
        try {
            Future<Got> one = clients.submit(() -> take("/old-shifts", key));
            while (first.getNumberWaiting() == 0) {
                Thread.onSpinWait();
            }
            together = null;
            assertThat(take("/old-shifts", key).status()).isEqualTo(409);
            first.await(20, TimeUnit.SECONDS);

            assertThat(one.get(30, TimeUnit.SECONDS).status()).isEqualTo(200);
            Got two = take("/old-shifts", key);
            assertThat(two.text()).isEqualTo(one.get().text());
            assertThat(two.replayed()).isTrue();
            assertThat(count(database)).isEqualTo(before + 1);
        } finally {
            first.reset();
            clients.shutdown();
        }
    }
}
