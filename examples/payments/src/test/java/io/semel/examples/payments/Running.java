// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The service, on a port of its own. */
record Running(ConfigurableApplicationContext app) implements AutoCloseable {

    static Running start(Class<?> source, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0", "--spring.main.banner-mode=off", "--spring.datasource.hikari.minimum-idle=0"));
        all.addAll(List.of(arguments));
        return new Running(SpringApplication.run(source, all.toArray(String[]::new)));
    }

    Wire wire() {
        return new Wire(Integer.parseInt(app.getEnvironment().getRequiredProperty("local.server.port")));
    }

    Wire.Answer pay(String path, String order, String key) throws IOException {
        return wire().send(Wire.post(path, body(order), "Idempotency-Key: " + key));
    }

    static String body(String order) {
        return "{\"orderId\":\"" + order + "\",\"amountCents\":1250}";
    }

    int count(String table) {
        return app.getBean(JdbcClient.class)
                .sql("SELECT COUNT(*) FROM " + table)
                .query(Integer.class)
                .single();
    }

    int charged(String order) {
        return app.getBean(Payments.class).charged(order).size();
    }

    @Override
    public void close() {
        app.close();
    }
}
