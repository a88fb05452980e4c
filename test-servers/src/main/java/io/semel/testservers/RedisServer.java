// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real Redis server; in memory, unless it is told otherwise. */
public final class RedisServer implements AutoCloseable {

    private final ServerProcess process = new ServerProcess("redis", "KILL");
    private final int port = Ports.free();
    private final List<String> command = new ArrayList<>();

    private RedisServer(List<String> settings) {
        command.add(Program.FILE.toString());
        command.addAll(List.of("--port", "" + port, "--bind", "127.0.0.1"));
        command.addAll(List.of("--dir", process.directory().toString(), "--save", ""));
        // Else it waits 5 seconds for more replicas before it sends them its data.
        command.addAll(List.of("--repl-diskless-sync-delay", "0"));
        command.addAll(settings);
        restart();
    }

    /** The one for all tests of this JVM that neither end nor pause it, nor count what is in it. */
    public static RedisServer shared() {
        return Shared.SERVER;
    }

    /** One of its own, with these settings as on its command line. */
    public static RedisServer start(String... settings) {
        return new RedisServer(List.of(settings));
    }

    static Path program() {
        return Program.FILE;
    }

    /** Starts it again after it was killed, on the same data and port. */
    public void restart() {
        process.start(command, () -> ask("PING").equals("PONG"));
    }

    /** Where it listens, on this machine only. */
    public int port() {
        return port;
    }

    /** What it answers to a command; the elements of a list are lines. */
    public String ask(String... words) {
        return RedisConnection.ask(port, words);
    }

    /** With SIGKILL. */
    public void kill() {
        process.kill();
    }

    /** It stands still. */
    public void pause() {
        process.pause();
    }

    /** It goes on after a pause. */
    public void resume() {
        process.resume();
    }

    @Override
    public void close() {
        process.close();
    }

    private static final class Program {

        static final Path FILE = unpack();

        private static Path unpack() {
            String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
            String name = "/redis-server-7.0.15-linux-" + machine;
            try (InputStream in = RedisServer.class.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IOException("No " + name + " on the class path.");
                }
                Path file = Watchdog.newDirectory("redis-program").resolve("redis-server");
                Files.copy(in, file);
                if (!file.toFile().setExecutable(true)) {
                    throw new IOException(file + " cannot be made executable.");
                }
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class Shared {

        static final RedisServer SERVER = start();
    }
}
