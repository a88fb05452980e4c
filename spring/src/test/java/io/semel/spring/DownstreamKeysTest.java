// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** Keys on the requests that a service sends. */
class DownstreamKeysTest {

    /** Repeats everything once, as clients that retry do. */
    private static final ClientHttpRequestInterceptor TWICE = (request, body, execution) -> {
        execution.execute(request, body).close();
        return execution.execute(request, body);
    };

    private final List<List<String>> keys = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private RestClient client;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            keys.add(new ArrayList<>(exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of())));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        client = RestClient.builder()
                .requestFactory(new SimpleClientHttpRequestFactory())
                .baseUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .requestInterceptor(new DownstreamKeys())
                .requestInterceptor(TWICE)
                .build();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void post(String part) {
        client.post()
                .uri("/charges")
                .attributes(all -> {
                    if (part != null) {
                        all.put(DownstreamKeys.PART, part);
                    }
                })
                .body("{}")
                .retrieve()
                .toBodilessEntity();
    }

    @Test
    void aRequestHasOneKeyHoweverOftenItIsSent() {
        post(null);
        post(null);

        assertThat(keys).hasSize(4).allSatisfy(key -> assertThat(key).hasSize(1));
        assertThat(keys.get(0)).isEqualTo(keys.get(1));
        assertThat(keys.get(2)).isEqualTo(keys.get(3)).isNotEqualTo(keys.get(0));
    }

    @Test
    void aRequestThatReadsHasNoneAndOneWithAKeyKeepsIt() {
        client.get().uri("/charges").retrieve().toBodilessEntity();
        client.delete().uri("/").header("Idempotency-Key", "mine").retrieve().toBodilessEntity();

        assertThat(keys).containsExactly(List.of(), List.of(), List.of("mine"), List.of("mine"));
    }

    /** A method that fails after it has called others, so that its retry is another attempt. */
    static class Orders {

        private final DownstreamKeysTest test;
        private boolean failed;

        Orders(DownstreamKeysTest test) {
            this.test = test;
        }

        @Idempotent(operation = "order")
        public String order(String id) {
            test.post("charge");
            test.post("ship");
            if (!failed) {
                failed = true;
                throw new IllegalStateException("for a test");
            }
            return id;
        }

        @Idempotent(operation = "careless")
        public String careless(String id) {
            test.post(null);
            return id;
        }
    }

    @Test
    void withinACallEveryAttemptSendsTheSameKeys() {
        Apps.inMemory().withBean(Orders.class, () -> new Orders(this)).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThatThrownBy(() -> orders.order("1")).hasMessage("for a test");
            orders.order("1");
            orders.order("2");

            assertThat(keys).hasSize(12);
            assertThat(keys.subList(4, 8)).isEqualTo(keys.subList(0, 4));
            assertThat(keys.get(0)).isNotEqualTo(keys.get(2)).isNotEqualTo(keys.get(8));
        });
    }

    @Test
    void withinACallARequestSaysWhichPartItIs() {
        Apps.inMemory().withBean(Orders.class, () -> new Orders(this)).run(context -> {
            assertThatThrownBy(() -> context.getBean(Orders.class).careless("1"))
                    .hasMessageContaining("DownstreamKeys.PART")
                    .hasMessageContaining("The request was not sent");
            assertThat(keys).isEmpty();
        });
    }
}
