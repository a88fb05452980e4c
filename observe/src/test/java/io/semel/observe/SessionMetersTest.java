// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SessionMetersTest {

    private final Traffic traffic = new Traffic();

    private static String requests(String outcome, int count) {
        return "semel_session_requests_total{operation=\"order\",outcome=\"" + outcome + "\"} " + count + ".0";
    }

    @Test
    void everyFateOfARequestIsCountedUnderItsName() {
        assertThat(traffic.numbered().scrape())
                .contains(requests("executed", 2))
                .contains(requests("replayed", 1))
                .contains(requests("stale", 1))
                .contains(requests("out_of_order", 1))
                .contains(requests("window_full", 1))
                .contains(requests("session_unknown", 1))
                .contains(requests("session_expired", 1));
    }

    @Test
    void sessionsThatLiveAndWhatTheyKeepAreCounted() {
        assertThat(traffic.numbered().scrape()).contains("semel_sessions 1.0").contains("semel_session_slots 1.0");
    }

    @Test
    void callsWithKeysAreNotAmongThem() {
        assertThat(traffic.executed("key").scrape())
                .contains("semel_calls_total{")
                .doesNotContain("semel_session_requests_total{");
    }
}
