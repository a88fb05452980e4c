// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.testservers.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Requests with keys in servlet and reactive applications that have no database, on real stores. */
class HttpStoresTest {

    private static final String LEDGER = "/ledger";

    private final String id = UUID.randomUUID().toString();
    private final String body = "{\"id\":\"" + id + "\"}";

    @SpringBootApplication(
            scanBasePackages = "io.semel.nothing",
            excludeName = {
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
                "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
                "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration"
            })
    @Import(Ledger.class)
    static class App {}

    @RestController
    static class Ledger {

        private static final AtomicInteger ENTRIES = new AtomicInteger();

        @PostMapping(LEDGER)
        String enter(@RequestBody String entry) {
            return "entry " + ENTRIES.incrementAndGet() + " " + entry;
        }
    }

    @Test
    void redisAnswersTheRequestsOfAServletApplication() throws Exception {
        try (Web web = onRedis(WebApplicationType.SERVLET)) {
            assertThat(runsOnce(web)).contains(id);
        }
    }

    @Test
    void redisAnswersTheRequestsOfAReactiveApplication() throws Exception {
        try (Web web = onRedis(WebApplicationType.REACTIVE)) {
            assertThat(runsOnce(web)).contains(id);
        }
    }

    @Test
    void rocksDbAnswersAServletApplicationAndTheReactiveOneThatFollowsIt(@TempDir Path directory) throws Exception {
        String first;
        try (Web web = onRocksDb(WebApplicationType.SERVLET, directory)) {
            first = runsOnce(web);
        }
        try (Web web = onRocksDb(WebApplicationType.REACTIVE, directory)) {
            Got again = web.post(LEDGER, body, id);
            assertThat(again.text()).isEqualTo(first);
            assertThat(again.replayed()).isTrue();
        }
    }

    /** Twenty at once with one key, and then one that asks for something else with it. */
    private String runsOnce(Web web) throws Exception {
        int before = Ledger.ENTRIES.get();
        List<Got> all = Threads.together(20, () -> web.post(LEDGER, body, id));
        assertThat(all).extracting(Got::status).containsOnly(200);
        assertThat(all).extracting(Got::text).containsOnly(all.get(0).text());
        assertThat(all).filteredOn(got -> !got.replayed()).hasSize(1);
        assertThat(web.post(LEDGER, "{}", id).status()).isEqualTo(422);
        assertThat(Ledger.ENTRIES.get()).isEqualTo(before + 1);
        return all.get(0).text();
    }

    private static Web onRedis(WebApplicationType type) {
        return start(
                type,
                "semel.store=redis",
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + RedisServer.shared().port(),
                "semel.redis.prefix=http-stores:");
    }

    private static Web onRocksDb(WebApplicationType type, Path directory) {
        return start(type, "semel.store=rocksdb", "semel.rocksdb.directory=" + directory);
    }

    private static Web start(WebApplicationType type, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                type == WebApplicationType.REACTIVE ? WebFluxTest.WITHOUT_SECURITY : Web.WITHOUT_SECURITY,
                "semel.http.when-busy=1m"));
        all.addAll(List.of(properties));
        return Web.start(App.class, type, all.toArray(String[]::new));
    }
}
