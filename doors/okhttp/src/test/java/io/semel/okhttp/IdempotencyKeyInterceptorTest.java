// SPDX-License-Identifier: Apache-2.0
package io.semel.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.semel.Attempt;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.memory.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys on the requests that OkHttp sends. */
class IdempotencyKeyInterceptorTest {

    private final List<List<String>> keys = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private OkHttpClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            keys.add(new ArrayList<>(exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of())));
            boolean moved = exchange.getRequestURI().getPath().equals("/old");
            exchange.getResponseHeaders().set("Location", "/new");
            exchange.sendResponseHeaders(moved ? 307 : 204, -1);
            exchange.close();
        });
        server.start();
        client = new OkHttpClient.Builder()
                .addInterceptor(new IdempotencyKeyInterceptor())
                .addInterceptor(chain -> {
                    chain.proceed(chain.request()).close();
                    return chain.proceed(chain.request());
                })
                .build();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
    }

    private Request.Builder to(String path) {
        return new Request.Builder()
                .url("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private static Request.Builder posting(Request.Builder request) {
        return request.post(RequestBody.create(new byte[] {1}));
    }

    private void send(Request.Builder request) throws IOException {
        client.newCall(request.build()).execute().close();
    }

    @Test
    void aRequestHasOneKeyHoweverOftenAndWhereverItIsSent() throws IOException {
        send(posting(to("/old")));
        send(posting(to("/new")));

        assertThat(keys).hasSize(6).allSatisfy(key -> assertThat(key).hasSize(1));
        assertThat(keys.subList(0, 4)).containsOnly(keys.get(0));
        assertThat(keys.subList(4, 6)).containsOnly(keys.get(4)).doesNotContain(keys.get(0));
    }

    @Test
    void aRequestThatReadsHasNoneAndOneWithAKeyKeepsIt() throws IOException {
        send(to("/new").get());
        send(posting(to("/new")).header("Idempotency-Key", "mine"));

        assertThat(keys).containsExactly(List.of(), List.of(), List.of("mine"), List.of("mine"));
    }

    @Test
    void aPartOfAGreaterCallHasTheSameKeyInEveryAttempt() throws IOException {
        Attempt one = attempt("1");
        send(posting(to("/new"))
                .tag(IdempotencyKeyInterceptor.Part.class, new IdempotencyKeyInterceptor.Part(one, "charge")));
        send(posting(to("/new"))
                .tag(IdempotencyKeyInterceptor.Part.class, new IdempotencyKeyInterceptor.Part(attempt("1"), "charge")));
        send(posting(to("/new"))
                .tag(IdempotencyKeyInterceptor.Part.class, new IdempotencyKeyInterceptor.Part(one, "ship")));

        assertThat(keys.subList(0, 4)).containsOnly(List.of(one.derive("charge")));
        assertThat(keys.subList(4, 6)).containsOnly(List.of(one.derive("ship")));
    }

    /** Each is the first at a store of its own. */
    private static Attempt attempt(String id) {
        List<Attempt> seen = new ArrayList<>();
        Call call = Call.of(Key.of("orders", id), Fingerprint.of(new byte[0]));
        Engine.on(new MemoryStore()).run(call, Codec.utf8(), attempt -> {
            seen.add(attempt);
            return "";
        });
        return seen.get(0);
    }
}
