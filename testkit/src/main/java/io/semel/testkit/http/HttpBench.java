// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.store.Inspectable;
import io.semel.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A client of a server under test, with a key that no other test uses. */
final class HttpBench implements AutoCloseable {

    static final String JSON = "{\"orderId\":\"17\",\"amountCents\":500}";

    private final Servers servers;
    private final HttpSetting setting;
    private final ContractServer server;
    private final String id = UUID.randomUUID().toString();
    private final String key = UUID.randomUUID().toString();
    private final List<ContractServer> own = new ArrayList<>();
    private final ExecutorService senders = Executors.newCachedThreadPool();

    HttpBench(Servers servers, HttpSetting setting) {
        this.servers = servers;
        this.setting = setting;
        this.server = servers.at(setting);
    }

    Servers servers() {
        return servers;
    }

    Store store() {
        return servers.store();
    }

    ContractServer server() {
        return server;
    }

    /** Another server with these settings on the same store; it ends with the test. */
    ContractServer another() {
        ContractServer started = servers.start(setting);
        own.add(started);
        return started;
    }

    String key() {
        return key;
    }

    /** A payment under the key of this test, which is answered with 201. */
    WireRequest pay() {
        return pay(Turn.paid());
    }

    /** A payment whose nth run takes the nth turn. */
    WireRequest pay(Turn... turns) {
        return unkeyed(turns).key('"' + key + '"');
    }

    /** A payment of a caller that no other test has, for keys that other tests may use too. */
    WireRequest payAs(String line) {
        return unkeyed(Turn.paid()).instead("X-User", id).key(line);
    }

    WireRequest unkeyed(Turn... turns) {
        return WireRequest.of("POST", "/payments")
                .header("X-User", "alice")
                .header(Script.HEADER, new Script(id, List.of(turns)).encoded())
                .header("Content-Type", "application/json")
                .saying(JSON);
    }

    WireResponse send(WireRequest request) {
        return send(server, request);
    }

    WireResponse send(ContractServer to, WireRequest request) {
        try (WireConnection connection = new WireConnection(to.port())) {
            connection.write(request);
            return connection.read(request.method());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    CompletableFuture<WireResponse> sending(WireRequest request) {
        return sending(server, request);
    }

    CompletableFuture<WireResponse> sending(ContractServer to, WireRequest request) {
        return CompletableFuture.supplyAsync(() -> send(to, request), senders);
    }

    /** Sends a payment whose first run blocks, and returns when it does. */
    CompletableFuture<WireResponse> blocking(WireRequest request) {
        CompletableFuture<WireResponse> sent = sending(request);
        awaitBlocked();
        return sent;
    }

    void awaitBlocked() {
        control(server, "blocked");
    }

    /** Lets a run that blocks go on. */
    void release(ContractServer at) {
        control(at, "release");
    }

    void release() {
        release(server);
    }

    int runs() {
        return runs(server);
    }

    int runs(ContractServer at) {
        return Integer.parseInt(control(at, "runs").text());
    }

    int effects(ContractServer at) {
        return Integer.parseInt(control(at, "effects").text());
    }

    void ran(int times) {
        assertEquals(times, runs(), "runs of the handler");
    }

    private WireResponse control(ContractServer at, String verb) {
        return send(
                at,
                WireRequest.of("GET", ScriptedService.CONTROL + verb + "/" + id).header("X-User", "alice"));
    }

    /** How many records there are; 0 where the store does not say. */
    long records() {
        if (!(store() instanceof Inspectable inspectable)) {
            return 0;
        }
        Inspectable.Counts count = inspectable.count();
        return count.held() + count.lapsed() + count.unknown() + count.settled() + count.gone();
    }

    /** Nothing was recorded since there were so many; some may have been purged. */
    void recordedNothingSince(long before) {
        assertTrue(records() <= before, () -> "there were " + before + " records, and are " + records());
    }

    @Override
    public void close() {
        own.forEach(ContractServer::close);
        senders.shutdownNow();
    }
}
