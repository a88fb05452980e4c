// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.MalformedKey;
import io.semel.session.RequestKey;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionKeyTest {

    @Test
    void theKeyOfARequestTellsItsSessionAndItsNumber() {
        SessionKey session = SessionKey.random("tenant/principal");

        assertThat(RequestKey.of(session.request(17))).isEqualTo(new RequestKey(session, 17));
    }

    @Test
    void noTwoSessionsAreAlike() {
        assertThat(SessionKey.random("a")).isNotEqualTo(SessionKey.random("a"));
        assertThat(SessionKey.random("a").id()).hasSize(22);
    }

    @Test
    void anIdThatNoServerGaveIsRefused() {
        for (String id : List.of("", "a/b", "a b", "\u00e9", "x".repeat(65), "a\n")) {
            assertThatThrownBy(() -> new SessionKey("scope", id))
                    .isInstanceOf(MalformedKey.class)
                    .hasMessageContaining("given at registration");
        }
        assertThatThrownBy(() -> new SessionKey("", "id")).isInstanceOf(MalformedKey.class);
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        SessionKey session = SessionKey.random("scope");
        for (long[] each : new long[][] {{0, 1}, {1, 0}, {1, 2}, {-1, -1}, {Long.MAX_VALUE, 1}}) {
            assertThatThrownBy(() -> session.call(each[0], each[1], Fingerprint.none()))
                    .isInstanceOf(MalformedKey.class)
                    .hasMessageContaining("makes no sense");
        }
    }

    @Test
    void anOrdinaryKeyIsNotOneOfASession() {
        assertThatThrownBy(() -> RequestKey.of(Key.of("scope", "order-17")))
                .isInstanceOf(MalformedKey.class)
                .hasMessageContaining("SessionKey.call");
    }

    @Test
    void termsThatNoStoreCouldKeepAreRefused() {
        Session session = Session.of("scope");
        assertThatThrownBy(() -> session.window(0)).hasMessageContaining("1 to 10000");
        assertThatThrownBy(() -> session.window(10_001)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> session.lease(Duration.ZERO)).hasMessageContaining("lease of a session");
        assertThatThrownBy(() -> session.lease(Duration.ofDays(366))).isInstanceOf(IllegalArgumentException.class);
    }
}
