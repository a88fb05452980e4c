// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.util.UUID;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Boot applications as users have them. */
final class Apps {

    static ApplicationContextRunner bare() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SemelAutoConfiguration.class))
                .withConfiguration(Boot.auto("Aop", "Jackson"));
    }

    static ApplicationContextRunner inMemory() {
        return bare().withPropertyValues("semel.store=memory");
    }

    /** With a database and the transaction manager that Boot makes for it. */
    static ApplicationContextRunner onDatabase(String url, String user) {
        return bare().withConfiguration(Boot.auto(
                        "DataSource", "DataSourceTransactionManager", "Transaction", "JdbcTemplate", "JdbcClient"))
                .withPropertyValues(
                        "spring.datasource.url=" + url,
                        "spring.datasource.username=" + user,
                        "spring.datasource.password=",
                        "spring.datasource.hikari.maximum-pool-size=8",
                        "spring.datasource.hikari.minimum-idle=0",
                        "semel.jdbc.initialize-schema=true");
    }

    static String h2() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";
    }

    static ApplicationContextRunner onH2() {
        return onDatabase(h2(), "sa");
    }

    private Apps() {}
}
