// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A real Redis server, one for all tests of a run. */
final class Redis {

    private static final Duration LONGEST = Duration.ofSeconds(90);

    static final int PORT = start();

    private static int start() {
        try {
            int port = freePort();
            Process process = new ProcessBuilder(
                            unpack().toString(), "--port", "" + port, "--bind", "127.0.0.1", "--save", "")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            await(port);
            return port;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void await(int port) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!answers(port)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Redis did not start within " + LONGEST);
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static Path unpack() throws IOException {
        String arm = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        try (InputStream in = Redis.class.getResourceAsStream("/redis-server-7.0.15-linux-" + arm)) {
            Path program = Files.createTempFile("redis-server", "");
            Files.write(program, in.readAllBytes());
            program.toFile().setExecutable(true);
            program.toFile().deleteOnExit();
            return program;
        }
    }

    private Redis() {}
}
