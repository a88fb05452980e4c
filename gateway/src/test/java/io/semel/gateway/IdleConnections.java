// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Not a test but a measurement: what a gateway in a process of its own takes for connections that have had an answer and stay. */
final class IdleConnections {

    private static final byte[] REQUEST = "GET /x HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    public static void main(String[] args) throws Exception {
        int connections = args.length == 0 ? 10_000 : Integer.parseInt(args[0]);
        Path directory = Files.createDirectories(Path.of("target", "idle").toAbsolutePath());
        Path settings = Files.writeString(directory.resolve("semel.yaml"), "limits: {idleTime: 10m}");
        try (CountingService origin = new CountingService();
                RunningProgram gateway = gateway(directory, settings, origin)) {
            int port = Integer.parseInt(
                    gateway.await("gateway on http://.*:(\\d+)").group(1));
            gateway.await("Ready");
            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                if (i == 0 || i == 1000) {
                    tell(gateway, i);
                }
                Socket socket = RawHttp.connect(port);
                ask(socket);
                open.add(socket);
            }
            tell(gateway, open.size());
            for (Socket socket : open) {
                ask(socket);
            }
            System.out.println("All of them were answered once more.");
            tell(gateway, open.size());
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private static RunningProgram gateway(Path directory, Path settings, CountingService origin) {
        return RunningProgram.semel(
                directory,
                "gateway",
                "--config",
                settings.toString(),
                "--upstream",
                origin.url(),
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0",
                "--store",
                "memory:");
    }

    private static void ask(Socket socket) throws IOException {
        socket.getOutputStream().write(REQUEST);
        if (socket.getInputStream().read(new byte[4096]) < 0) {
            throw new IOException("The gateway has closed a connection.");
        }
    }

    private static void tell(RunningProgram gateway, int connections) throws IOException {
        Path status = Path.of("/proc", Long.toString(gateway.process.pid()), "status");
        String resident = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS"))
                .findFirst()
                .orElseThrow();
        System.out.println(connections + " connections: " + resident);
    }

    private IdleConnections() {}
}
