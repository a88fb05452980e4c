// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A Boot application with a real server on a port of its own. */
record Web(ConfigurableApplicationContext app, HttpClient client) implements AutoCloseable {

    static final String WITHOUT_SECURITY = "spring.autoconfigure.exclude=" + Boot.SECURITY;

    static Web start(Class<?> app, String... properties) {
        return start(app, WebApplicationType.SERVLET, properties);
    }

    static Web start(Class<?> app, WebApplicationType type, String... properties) {
        List<String> all = new ArrayList<>(List.of("server.port=0", "spring.main.banner-mode=off"));
        all.addAll(List.of(properties));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(app)
                .web(type)
                .properties(all.toArray(String[]::new))
                .run();
        return new Web(
                context,
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .executor(Executors.newCachedThreadPool(Web::daemon))
                        .build());
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    static Web onPostgres(Class<?> app, String... properties) {
        return onDatabase(app, Postgres.newUrl(), "postgres", properties);
    }

    static Web onDatabase(Class<?> app, String url, String user, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                WITHOUT_SECURITY,
                "spring.datasource.url=" + url,
                "spring.datasource.username=" + user,
                "spring.datasource.password=",
                "spring.datasource.hikari.maximum-pool-size=8",
                "spring.datasource.hikari.minimum-idle=0",
                "semel.jdbc.initialize-schema=true"));
        all.addAll(List.of(properties));
        return start(app, all.toArray(String[]::new));
    }

    URI uri(String path) {
        return URI.create("http://localhost:" + app.getEnvironment().getProperty("local.server.port") + path);
    }

    /** With a body of JSON; header names and values in turn. */
    Got send(String method, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .setHeader("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            if (headers[i].equals("Content-Type")) {
                request.setHeader(headers[i], headers[i + 1]);
            } else {
                request.header(headers[i], headers[i + 1]);
            }
        }
        return new Got(client.send(request.build(), BodyHandlers.ofByteArray()));
    }

    Got post(String path, String body, String key, String... headers) throws Exception {
        List<String> all = new ArrayList<>(List.of("Idempotency-Key", key));
        all.addAll(List.of(headers));
        return send("POST", path, body, all.toArray(String[]::new));
    }

    <T> T bean(Class<T> type) {
        return app.getBean(type);
    }

    @Override
    public void close() {
        app.close();
    }
}
