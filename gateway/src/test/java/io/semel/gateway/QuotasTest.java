// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.budget.AddressShares;
import io.semel.gateway.traffic.Traffic;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One caller, or one address, does not fill the store or take all connections. */
@Timeout(60)
class QuotasTest {

    private static void assertUsedUp(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(429);
        assertThat(response.body()).contains("urn:semel:problem:quota-used-up");
        assertThat(response.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(1L, 3600L);
    }

    @Test
    void aCallerThatHasStoredAsManyKeysAsItMayGetsItsAnswersAndNoNewKeys() {
        try (GatewayFixture rig = new GatewayFixture("quotas: {callerKeys: 3, window: 1h}")) {
            for (String key : List.of("a", "b", "c", "a", "b", "c")) {
                assertThat(rig.pay(key, "{}", "Authorization", "me").body()).isEqualTo("effect 1");
            }
            assertUsedUp(rig.pay("d", "{}", "Authorization", "me"));
            assertThat(rig.pay("a", "{}", "Authorization", "me").body()).isEqualTo("effect 1");
            assertThat(rig.pay("a", "[]", "Authorization", "me").statusCode()).isEqualTo(422);
            assertThat(rig.pay("d", "{}", "Authorization", "you").body()).isEqualTo("effect 1");
            assertThat(rig.origin.effects("d")).isEqualTo(1);
        }
    }

    @Test
    void aCallerThatHasStoredAsManyBytesAsItMayStoresNoMore() {
        try (GatewayFixture rig = new GatewayFixture("quotas: {callerBytes: 10KiB}")) {
            rig.origin.behaviour = (exchange, body, effect) -> CountingService.answer(exchange, 201, "x".repeat(6000));
            assertThat(rig.pay("a").statusCode()).isEqualTo(201);
            assertThat(rig.pay("b").statusCode()).isEqualTo(201);
            assertUsedUp(rig.pay("c"));
            assertThat(rig.pay("b").headers().firstValue("Idempotent-Replayed")).isPresent();
        }
    }

    @Test
    void howManyCredentialsSomebodyThinksOfDoesNotMatterToItsAddress() {
        try (GatewayFixture rig = new GatewayFixture("quotas: {addressKeys: 3}")) {
            for (int i = 0; i < 3; i++) {
                assertThat(rig.pay("a", "{}", "Authorization", "me" + i).statusCode())
                        .isEqualTo(201);
            }
            assertUsedUp(rig.pay("a", "{}", "Authorization", "me3"));
        }
        try (GatewayFixture rig = new GatewayFixture("quotas: {addressKeys: 3}\ntrustedProxies: [127.0.0.1]")) {
            for (int i = 0; i < 6; i++) {
                assertThat(rig.pay("a", "{}", "Authorization", "me" + i).statusCode())
                        .isEqualTo(201);
            }
        }
    }

    @Test
    void behindATrustedProxyItIsTheAddressThatItNames() {
        try (GatewayFixture rig =
                new GatewayFixture("quotas: {addressKeys: 2}\ntrustedProxies: [127.0.0.1, 10.0.0.0/8]")) {
            assertThat(payFor(rig, "a", "192.0.2.1").statusCode()).isEqualTo(201);
            assertThat(payFor(rig, "b", "198.51.100.1, 192.0.2.1, 10.0.0.7").statusCode())
                    .isEqualTo(201);
            assertUsedUp(payFor(rig, "c", "198.51.100.2, 192.0.2.1:4711"));
            assertThat(payFor(rig, "d", "192.0.2.2").statusCode()).isEqualTo(201);

            assertThat(payFor(rig, "e", "2001:db8:1:2::1").statusCode()).isEqualTo(201);
            assertThat(payFor(rig, "f", "[2001:db8:1:2::2]:443").statusCode()).isEqualTo(201);
            assertUsedUp(payFor(rig, "g", "2001:db8:1:2::3"));
        }
    }

    @Test
    void whatAnybodyElseNamesCountsForNothing() {
        try (GatewayFixture rig = new GatewayFixture("quotas: {addressKeys: 2}\ntrustedProxies: [10.0.0.0/8]")) {
            assertThat(payFor(rig, "a", "192.0.2.1").statusCode()).isEqualTo(201);
            assertThat(payFor(rig, "b", "192.0.2.2").statusCode()).isEqualTo(201);
            assertUsedUp(payFor(rig, "c", "192.0.2.3"));
        }
    }

    private static HttpResponse<String> payFor(GatewayFixture rig, String key, String address) {
        return rig.pay(key, "{}", "X-Forwarded-For", address);
    }

    @Test
    void whatIsNotStoredDoesNotCount() {
        try (GatewayFixture rig = new GatewayFixture("quotas: {callerKeys: 2}")) {
            rig.origin.behaviour = (exchange, body, effect) -> CountingService.answer(exchange, 500, "");
            for (int i = 0; i < 5; i++) {
                assertThat(rig.pay("a").statusCode()).isEqualTo(500);
            }
            rig.origin.behaviour = CountingService::created;
            assertThat(rig.pay("a").statusCode()).isEqualTo(201);
            assertThat(rig.pay("b").statusCode()).isEqualTo(201);
            assertUsedUp(rig.pay("c"));
        }
        try (GatewayFixture rig = new GatewayFixture(
                "quotas: {callerKeys: 2}\nroutes: [{path: /payments, upstream: 'http://127.0.0.1:1'}]")) {
            for (int i = 0; i < 5; i++) {
                assertThat(rig.pay("k" + i).statusCode()).isEqualTo(502);
            }
        }
    }

    @Test
    void noMoreRunThanMayHoweverManyComeAtOnce() {
        try (GatewayFixture rig = new GatewayFixture("quotas: {callerKeys: 10}")) {
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(rig.paying("k" + i));
            }
            long stored =
                    all.stream().filter(each -> each.join().statusCode() == 201).count();
            assertThat(stored).isEqualTo(10);
            assertThat(rig.origin.effects()).isEqualTo(10);
        }
    }

    @Test
    void keysInBodiesCountToo() {
        try (GatewayFixture rig =
                new GatewayFixture("quotas: {callerKeys: 1}\nroutes: [{path: /payments, webhook: /id}]")) {
            assertThat(rig.pay("", "{\"id\":\"a\"}").statusCode()).isEqualTo(201);
            assertThat(rig.pay("", "{\"id\":\"a\"}").headers().firstValue("Idempotent-Replayed"))
                    .isPresent();
            assertUsedUp(rig.pay("", "{\"id\":\"b\"}"));
        }
    }

    @Test
    void oneAddressDoesNotTakeAllConnections() throws Exception {
        List<Socket> open = new ArrayList<>();
        try (GatewayFixture rig = new GatewayFixture("limits: {addressConnections: 10}")) {
            for (int i = 0; i < 10; i++) {
                Socket socket = RawHttp.connect(rig.port());
                open.add(socket);
                socket.setSoTimeout(20_000);
                socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(socket.getInputStream().read()).isEqualTo('H');
            }

            assertThat(RawHttp.send(rig.port(), "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 503")
                    .contains("urn:semel:problem:too-many-connections")
                    .containsIgnoringCase("\r\nretry-after: 1\r\n");
            assertThat(from(new byte[] {127, 0, 0, 9}, rig)).startsWith("HTTP/1.1 201");
            assertThat(rig.gateway.traffic().count(Traffic.Count.TURNED_AWAY)).isEqualTo(1);
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private static String from(byte[] address, GatewayFixture rig) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), rig.port(), InetAddress.getByAddress(address), 0)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return RawHttp.read(socket);
        }
    }

    @Test
    void aTrustedProxyMayHaveAsManyConnectionsAsItLikesAndSoMayAllWhereThereIsNoLimit() throws Exception {
        for (String settings : List.of(
                "limits: {addressConnections: 2}\ntrustedProxies: [127.0.0.1]", "limits: {addressConnections: 0}")) {
            List<Socket> open = new ArrayList<>();
            try (GatewayFixture rig = new GatewayFixture(settings)) {
                for (int i = 0; i < 5; i++) {
                    open.add(RawHttp.connect(rig.port()));
                }
                assertThat(from(new byte[] {127, 0, 0, 1}, rig)).startsWith("HTTP/1.1 201");
            } finally {
                for (Socket socket : open) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void addressesOfOneIpv6NetworkAreOne() throws Exception {
        InetAddress one = InetAddress.getByName("2001:db8:1:2:3:4:5:6");
        InetAddress two = InetAddress.getByName("2001:db8:1:2:ffff::1");
        InetAddress other = InetAddress.getByName("2001:db8:1:3::1");
        assertThat(AddressShares.network(one))
                .isEqualTo(AddressShares.network(two))
                .isNotEqualTo(AddressShares.network(other));
        InetAddress v4 = InetAddress.getByName("192.0.2.1");
        assertThat(AddressShares.network(v4)).isEqualTo(v4);
    }
}
