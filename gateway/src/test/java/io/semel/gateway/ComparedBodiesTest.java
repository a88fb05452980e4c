// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What counts as the same body. */
@Timeout(60)
class ComparedBodiesTest {

    private static String upload(GatewayFixture rig, String boundary, String value) throws IOException {
        String body = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"amount\"\r\n\r\n" + value + "\r\n--"
                + boundary + "--\r\n";
        return post(rig, "multipart/form-data; boundary=" + boundary, body);
    }

    private static String post(GatewayFixture rig, String type, String body) throws IOException {
        return RawHttp.send(
                rig.port(),
                "POST /payments HTTP/1.1\r\nHost: x\r\nIdempotency-Key: a\r\nContent-Type: " + type
                        + "\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body);
    }

    @Test
    void aFormIsTheSameWhateverItsBoundaryIs() throws IOException {
        for (String settings : new String[] {"", "routes: [{path: /**, compare: json}]"}) {
            try (GatewayFixture rig = new GatewayFixture(settings)) {
                assertThat(upload(rig, "abc", "1")).contains("effect 1");
                assertThat(upload(rig, "xyz", "1")).contains("effect 1");
                assertThat(upload(rig, "xyz", "2")).startsWith("HTTP/1.1 422");
                assertThat(post(rig, "multipart/form-data", "none")).startsWith("HTTP/1.1 400");
                assertThat(rig.origin.effects()).isEqualTo(1);
            }
        }
    }

    @Test
    void otherBodiesAreComparedByTheirBytes() throws IOException {
        try (GatewayFixture rig = new GatewayFixture()) {
            assertThat(post(rig, "application/json", "{\"a\":1}")).contains("effect 1");
            assertThat(post(rig, "application/json", "{\"a\": 1}")).startsWith("HTTP/1.1 422");
        }
    }
}
