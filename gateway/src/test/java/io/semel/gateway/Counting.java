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

/** The same as counting.py, for machines without Python: every POST is an effect, one line in the ledger. */
final class Counting {

    public static void main(String[] args) throws IOException {
        Path ledger = Path.of(args[0]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> pay(exchange, ledger));
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private static void pay(HttpExchange exchange, Path ledger) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Files.writeString(ledger, body + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Origin.answer(exchange, 201, "paid " + body);
    }

    private Counting() {}
}
