// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** A real Redis server in a process and a directory of its own. */
public final class Redis implements AutoCloseable {

    private static final Path PROGRAM = unpack();

    /** Every handle of every test would tell again what may be forgotten. */
    private static final Logger QUIET = Logger.getLogger(RedisStore.class.getName());

    static {
        QUIET.setLevel(Level.OFF);
    }

    private final Path directory;
    private final List<String> command = new ArrayList<>();
    private final int port;
    private Process process;
    private RedisClient client;

    private Redis(int port, List<String> settings) {
        this.port = port;
        try {
            this.directory = Files.createTempDirectory("redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        command.add(PROGRAM.toString());
        command.addAll(
                List.of("--port", "" + port, "--bind", "127.0.0.1", "--dir", directory.toString(), "--save", ""));
        // Else it waits 5 seconds for more replicas before it sends them its data.
        command.addAll(List.of("--repl-diskless-sync-delay", "0"));
        command.addAll(settings);
        start();
    }

    static Redis with(String... settings) {
        return new Redis(freePort(), List.of(settings));
    }

    /** A port whose bus, 10000 above it, can be one too. */
    static int freePort() {
        for (int tries = 0; tries < 1000; tries++) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (socket.getLocalPort() < 55536) {
                    return socket.getLocalPort();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException("No port below 55536 is free.");
    }

    /** A Sentinel with this file as its configuration, which it rewrites. */
    static Process sentinel(Path configuration) throws IOException {
        return new ProcessBuilder(PROGRAM.toString(), configuration.toString(), "--sentinel")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    void start() {
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitAnswer();
    }

    private void awaitAnswer() {
        Await.that("Redis answers", () -> {
            try {
                return "PONG".equals(ask(RedisCommands::ping));
            } catch (RedisException notYet) {
                return false;
            }
        });
    }

    int port() {
        return port;
    }

    RedisURI uri() {
        return RedisURI.Builder.redis("127.0.0.1", port)
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
        process.destroyForcibly();
        process.onExit().join();
    }

    void pause() {
        Signal.send("STOP", List.of(process.toHandle()));
    }

    void resume() {
        Signal.send("CONT", List.of(process.toHandle()));
    }

    @Override
    public void close() {
        kill();
        if (client != null) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path unpack() {
        String arm = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        try (InputStream in = Redis.class.getResourceAsStream("/redis-server-7.0.15-linux-" + arm)) {
            Path program = Files.createTempFile("redis-server", "");
            Files.write(program, in.readAllBytes());
            program.toFile().setExecutable(true);
            program.toFile().deleteOnExit();
            return program;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
