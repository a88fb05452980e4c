// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.raft;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ratis.protocol.RaftGroup;

/** Three servers, each a process of its own that can be killed. */
final class Servers implements AutoCloseable {

    static final int COUNT = 3;

    private final Path directory;
    private final int[] ports = freePorts();
    private final Process[] processes = new Process[COUNT];
    /** What servers said of who leads, in the order in which it was heard. */
    private final BlockingQueue<Integer> leaders = new LinkedBlockingQueue<>();

    private boolean closed;

    Servers(Path directory) throws IOException {
        this.directory = directory;
        for (int i = 0; i < COUNT; i++) {
            start(i);
        }
    }

    RaftGroup group() {
        return TallyServer.group(ports);
    }

    private synchronized void start(int number) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                TallyServer.class.getName(),
                Integer.toString(number),
                directory.resolve("s" + number).toString()));
        IntStream.of(ports).mapToObj(Integer::toString).forEach(command::add);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        processes[number] = process;
        Thread listener = new Thread(() -> listen(number, process));
        listener.setDaemon(true);
        listener.start();
    }

    private void listen(int number, Process process) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines()
                    .filter(line -> line.startsWith("leader s"))
                    .forEach(line -> leaders.add(Integer.parseInt(line.substring("leader s".length()))));
            restart(number, process);
        } catch (IOException | UncheckedIOException e) {
            leaders.add(-1);
        }
    }

    /** What a supervisor would do about a server that has closed itself; one that was killed has a successor already. */
    private synchronized void restart(int number, Process ended) throws IOException {
        if (!closed && processes[number] == ended) {
            start(number);
        }
    }

    /** Kills whoever leads, as soon as somebody does, and starts it again; with SIGKILL, so that it can save nothing. */
    void killLeader() throws IOException, InterruptedException {
        int leader = leader();
        synchronized (this) {
            processes[leader].destroyForcibly().waitFor();
            leaders.clear();
            start(leader);
        }
    }

    private int leader() throws InterruptedException {
        Integer leader = leaders.poll(1, TimeUnit.MINUTES);
        while (leader != null && leader < 0) {
            leader = leaders.poll(1, TimeUnit.MINUTES);
        }
        if (leader == null) {
            throw new AssertionError("Nobody led for a minute.");
        }
        return leader;
    }

    private static int[] freePorts() {
        int[] ports = new int[COUNT];
        List<ServerSocket> taken = new ArrayList<>();
        try {
            for (int i = 0; i < COUNT; i++) {
                taken.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
                ports[i] = taken.get(i).getLocalPort();
            }
            for (ServerSocket each : taken) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ports;
    }

    @Override
    public synchronized void close() {
        closed = true;
        for (Process each : processes) {
            each.destroyForcibly().onExit().join();
        }
    }
}
