// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.semel.Engine;
import io.semel.Key;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import io.semel.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The JDK's server with a {@link PlainDoor}. */
final class PlainServer implements ContractServer {

    private final CuttableStore store;
    private final ScriptedService service;
    private final @Nullable Fault fault;
    private final PlainDoor door;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(PlainServer::thread);

    PlainServer(Store store, Time time, ScriptedService service, HttpSetting setting, @Nullable Fault fault)
            throws IOException {
        this.store = new CuttableStore(fault == Fault.RENEWS_NO_LEASE ? unrenewed(store) : store);
        this.service = service;
        this.fault = fault;
        this.door = new PlainDoor(Engine.on(this.store, time), setting, fault);
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** What dies with its server says nothing. */
    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task);
        thread.setUncaughtExceptionHandler((dead, killed) -> {});
        return thread;
    }

    private static Store unrenewed(Store store) {
        return new ForwardingStore(store) {
            @Override
            public boolean settle(Key key, String holder, long fence, Settlement settlement) {
                return settlement instanceof Settlement.Renew || super.settle(key, holder, fence, settlement);
            }
        };
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        int refused = ScriptedService.front(exchange.getRequestHeaders()::getFirst);
        if (refused != 0 && fault != Fault.ASKS_BEFORE_THE_FRONT) {
            send(exchange, new PlainAnswer(refused, List.of(), new byte[0]));
            return;
        }
        send(exchange, door.handle(exchange, body, () -> answer(exchange)));
    }

    private PlainAnswer answer(HttpExchange exchange) {
        ScriptedService.Reply reply =
                service.handle(exchange.getRequestURI().getPath(), exchange.getRequestHeaders()::getFirst);
        return new PlainAnswer(reply.status(), reply.headers(), reply.body());
    }

    private static void send(HttpExchange exchange, PlainAnswer answer) throws IOException {
        answer.headers().forEach(header -> exchange.getResponseHeaders().add(header.name(), header.value()));
        boolean bodiless =
                answer.body().length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(answer.status(), bodiless ? -1 : answer.body().length);
        if (!bodiless) {
            exchange.getResponseBody().write(answer.body());
        }
        exchange.close();
    }

    @Override
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void cut() {
        store.cut();
    }

    @Override
    public void mend() {
        store.mend();
    }

    @Override
    public void kill() {
        store.kill();
        server.stop(0);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
