// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Level;
import io.semel.jdbc.JdbcStore;
import io.semel.jdbc.Schema;
import io.semel.store.Store;
import io.semel.testkit.http.ContractServer;
import io.semel.testkit.http.HttpContract;
import io.semel.testkit.http.HttpSetting;
import io.semel.testkit.http.LeftOut;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The HTTP contract on the starter with Spring MVC, joined to the transactions of its handlers on PostgreSQL. */
class JoinedMvcContractTest extends HttpContract {

    private static final String ELAPSE = """
            UPDATE semel_slot
            SET since = since - :span,
                until = CASE WHEN until = 9223372036854775807 THEN until ELSE until - :span END,
                forget = CASE WHEN forget = 9223372036854775807 THEN forget ELSE forget - :span END
            """;

    private final String url = Postgres.newUrl();
    private final DataSource database = new DriverManagerDataSource(url, "postgres", "");
    private final Store store;

    JoinedMvcContractTest() {
        Schema.create(database);
        store = JdbcStore.on(database);
    }

    @Override
    protected ContractServer start(HttpSetting setting) {
        return new Server(Web.onDatabase(
                ScriptedApplication.class,
                url,
                "postgres",
                "semel.purge.enabled=false",
                "spring.data.redis.repositories.enabled=false",
                "semel.http." + property(setting)));
    }

    private static String property(HttpSetting setting) {
        return switch (setting) {
            case QUOTED_KEYS -> "dialect=ietf";
            case BARE_KEYS -> "dialect=raw";
            case KEYS_REQUIRED -> "keys=required";
            case KEYS_IGNORED -> "keys=ignored";
            case KEYS_REJECTED -> "keys=rejected";
            case DELETES -> "methods=POST,PATCH,DELETE";
            case JSON_BY_MEANING, FORMS_BY_PARTS -> "bodies=meaning";
            case ERRORS_RECORDED -> "server-errors=record";
            case ERRORS_HELD -> "server-errors=hold";
            case WAITING -> "when-busy=3s";
            case MORE_HEADERS -> "replayed-headers=Set-Cookie,X-Foo";
            case SMALL_ANSWERS -> "max-answer=1000B";
            case FAIL_OPEN -> "fail-open=true";
            case FIRST_SENT -> "first-sent-header=Repeatability-First-Sent";
            default -> "enabled=true";
        };
    }

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected Level level() {
        return Level.JOINED;
    }

    @Override
    protected void elapse(Duration span) {
        JdbcClient.create(database)
                .sql(ELAPSE)
                .param("span", TimeUnit.MILLISECONDS.toMicros(span.toMillis()))
                .update();
    }

    @Override
    protected LeftOut leftOut() {
        return LeftOut.nothing()
                .settings(
                        "an answer of 500 and above is rolled back with its transaction",
                        HttpSetting.ERRORS_RECORDED,
                        HttpSetting.ERRORS_HELD)
                .settings("the effects are in the database that cannot be reached", HttpSetting.FAIL_OPEN);
    }

    @Override
    protected String title() {
        return "Spring MVC, joined";
    }

    @Override
    protected Optional<Path> table() {
        return Optional.of(Path.of("../docs/http-contract.md"));
    }

    private record Server(Web web) implements ContractServer {

        @Override
        public int port() {
            return web.uri("/").getPort();
        }

        @Override
        public void cut() {
            web.bean(CuttableDatabase.class).cut();
        }

        @Override
        public void mend() {
            web.bean(CuttableDatabase.class).mend();
        }

        @Override
        public void kill() {
            web.bean(CuttableDatabase.class).kill();
        }

        @Override
        public void close() {
            web.close();
        }
    }
}
