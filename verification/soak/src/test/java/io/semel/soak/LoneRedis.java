// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/** A real Redis server in a process of its own. */
final class LoneRedis implements AutoCloseable {

    private static final String RESOURCE = "/redis-server-7.0.15-linux-amd64";

    private final Path program;
    private final int port;
    private final Process process;

    LoneRedis() throws IOException {
        try (InputStream in = Objects.requireNonNull(LoneRedis.class.getResourceAsStream(RESOURCE));
                ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            program = Files.createTempFile("redis-server", "");
            Files.write(program, in.readAllBytes());
            port = program.toFile().setExecutable(true) ? free.getLocalPort() : 0;
        }
        process = new ProcessBuilder(program.toString(), "--port", "" + port, "--bind", "127.0.0.1", "--save", "")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        while (process.isAlive() && !isOpen()) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    private boolean isOpen() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    RedisURI uri() {
        return RedisURI.create("127.0.0.1", port);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        try {
            Files.delete(program);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
