// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Much as counting.py: every POST is an effect, one line in the ledger, and its answer has the effect's number. */
public final class LedgerServer {

    private static final AtomicLong EFFECTS = new AtomicLong();

    public static void main(String[] args) throws IOException {
        Path ledger = Path.of(args[0]);
        int port = args.length > 1 ? Integer.parseInt(args[1]) : 0;
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 256);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> pay(exchange, ledger));
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private static void pay(HttpExchange exchange, Path ledger) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Files.writeString(ledger, body + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        CountingService.answer(exchange, 201, "paid " + body + " " + EFFECTS.incrementAndGet());
    }

    private LedgerServer() {}
}
