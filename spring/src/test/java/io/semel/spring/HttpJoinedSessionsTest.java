// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Retries that are told by their number in a session. */
class HttpJoinedSessionsTest extends HttpJoinedMatrix {

    private String session;

    @BeforeAll
    static void start() {
        start("semel_request WHERE result IS NOT NULL", "semel.sessions.enabled=true");
    }

    @BeforeEach
    void register() throws Exception {
        session = SessionsTest.register(web);
    }

    @Override
    Got post(String path, String... headers) throws Exception {
        return post(path, 1, headers);
    }

    private Got post(String path, long number, String... headers) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                "Semel-Session", session, "Semel-Request", Long.toString(number), "Semel-First-Outstanding", "1"));
        all.addAll(List.of(headers));
        return web.send("POST", path, body, all.toArray(String[]::new));
    }

    @Test
    void aRefusalAfterAFailedStatementStandsInTheWayOfNoOtherNumber() throws Exception {
        assertThat(post("/broken-and-advised", 2).status()).isEqualTo(402);
        assertThat(post("/pay", 1).status()).isEqualTo(201);
        assertThat(post("/broken-and-advised", 2).replayed()).isTrue();
        assertThat(post("/pay", 1).replayed()).isTrue();
        assertThat(ledger.paid(id)).isOne();
    }
}
