// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.semel.testservers.RedisServer;
import java.time.Duration;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A real Redis server, and a client for the test's own questions. */
public final class Redis implements AutoCloseable {

    /** Every handle of every test would tell again what may be forgotten. */
    private static final Logger QUIET = Logger.getLogger(RedisStore.class.getName());

    static {
        QUIET.setLevel(Level.OFF);
    }

    private final RedisServer server;
    private RedisClient client;

    Redis(RedisServer server) {
        this.server = server;
    }

    static Redis with(String... settings) {
        return new Redis(RedisServer.start(settings));
    }

    RedisServer server() {
        return server;
    }

    /** Starts it again after it was killed. */
    void start() {
        server.restart();
    }

    int port() {
        return server.port();
    }

    RedisURI uri() {
        return RedisURI.Builder.redis("127.0.0.1", port())
                .withTimeout(Duration.ofSeconds(30))
                .build();
    }

    /** A client for the test's own questions, shared by its stores. */
    synchronized RedisClient client() {
        if (client == null) {
            client = RedisClient.create(uri());
        }
        return client;
    }

    <T> T ask(Function<RedisCommands<String, String>, T> question) {
        try (StatefulRedisConnection<String, String> connection = client().connect()) {
            return question.apply(connection.sync());
        }
    }

    <T> T askInBytes(Function<RedisCommands<byte[], byte[]>, T> question) {
        try (StatefulRedisConnection<byte[], byte[]> connection = client().connect(ByteArrayCodec.INSTANCE)) {
            return question.apply(connection.sync());
        }
    }

    /** Makes all rows older. */
    void elapse(Duration span) {
        ask(commands -> Elapsing.elapse(commands, span));
    }

    void kill() {
        server.kill();
    }

    void pause() {
        server.pause();
    }

    void resume() {
        server.resume();
    }

    @Override
    public void close() {
        if (client != null) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
        server.close();
    }
}
