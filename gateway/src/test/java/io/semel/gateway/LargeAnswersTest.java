// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Key;
import io.semel.memory.MemoryStore;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are too large to be kept, over a store that is asked at once and one that takes its time. */
@Timeout(60)
class LargeAnswersTest {

    private static final String SETTINGS = ", answerBytes: 1000";
    private static final String LIMITS = "limits: {upstreamConnections: 2}\n";

    @ParameterizedTest
    @CsvSource({
        "1001, 1001, true", "1500, 1500, true", "70000, 70000, true", "3000000, 3000000, true",
        "1001, 1001, false", "1500, 1500, false", "70000, 70000, false", "3000000, 3000000, false",
        "1001, 100, true", "1500, 100, true", "70000, 1, true", "3000000, 8000, true",
        "1001, 100, false", "1500, 100, false", "70000, 1, false", "3000000, 8000, false",
    })
    void eachReachesItsClientWholeAndOnce(int size, int chunk, boolean quick) throws Exception {
        try (ScriptedService service = new ScriptedService(answer(size, chunk));
                GatewayFixture rig = new GatewayFixture(LIMITS + service.route(SETTINGS), store(quick))) {
            String one = post("a", "keep-alive");
            String answers = RawHttp.send(rig.port(), one + one.replace("Key: a", "Key: b") + post("c", "close"));

            assertThat(answers.split("HTTP/1.1 ", -1)).hasSize(4);
            assertThat(answers.chars().filter(each -> each == 'x').count()).isEqualTo(3L * size);
            assertThat(service.requests).hasSize(3);
            assertThat(RawHttp.send(rig.port(), post("b", "close"))).startsWith("HTTP/1.1 410 ");
            GatewayChecks.await(
                    "no exchange is left", () -> rig.gateway.traffic().exchanges() == 0);
            GatewayChecks.await("no byte is left", () -> rig.gateway.buffered() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServiceThatFailsInTheMiddleEndsTheExchange(boolean chunked) throws Exception {
        CountDownLatch settling = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Store store = new ForwardingStore(new MemoryStore()) {
            @Override
            public boolean settle(Key key, String holder, long fence, Settlement settlement) {
                settling.countDown();
                CountingService.await(go);
                return super.settle(key, holder, fence, settlement);
            }
        };
        String whole = answer(5000, chunked ? 10 : 5000);
        try (ScriptedService service = new ScriptedService(whole.substring(0, whole.length() - 100));
                GatewayFixture rig = new GatewayFixture(LIMITS + service.route(SETTINGS), store);
                Socket client = RawHttp.connect(rig.port())) {
            service.closing = true;
            client.getOutputStream().write(post("a", "keep-alive").getBytes(StandardCharsets.US_ASCII));
            settling.await();
            go.countDown();

            assertThat(RawHttp.read(client)).startsWith("HTTP/1.1 201 ").contains("xxx");
            GatewayChecks.await(
                    "no exchange is left", () -> rig.gateway.traffic().exchanges() == 0);
            assertThat(RawHttp.send(rig.port(), post("a", "close"))).startsWith("HTTP/1.1 410 ");
        }
    }

    private static Store store(boolean quick) {
        return quick ? new MemoryStore() : new ForwardingStore(new MemoryStore());
    }

    /** Of that many times x, in chunks where these are smaller. */
    private static String answer(int size, int chunk) {
        if (chunk == size) {
            return "HTTP/1.1 201 Created\r\nContent-Length: " + size + "\r\n\r\n" + "x".repeat(size);
        }
        String part = Integer.toHexString(chunk) + "\r\n" + "x".repeat(chunk) + "\r\n";
        int rest = size % chunk;
        String last = rest == 0 ? "" : Integer.toHexString(rest) + "\r\n" + "x".repeat(rest) + "\r\n";
        return "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n" + part.repeat(size / chunk) + last
                + "0\r\n\r\n";
    }

    private static String post(String key, String connection) {
        return "POST /y HTTP/1.1\r\nHost: h\r\nConnection: " + connection + "\r\nIdempotency-Key: " + key
                + "\r\nContent-Length: 2\r\n\r\n{}";
    }
}
