// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import io.semel.session.Session;
import io.semel.session.SessionStore;
import java.time.Duration;

/** What the laws need of a backend. */
interface Backed {

    /** Spans lie far enough apart for slow networks and slow machines: no test depends on less than five minutes. */
    Duration SESSION_LEASE = Duration.ofMinutes(30);

    Duration LEASE = Duration.ofMinutes(10);
    Duration OVER_LEASE = Duration.ofMinutes(15);
    Duration PART_OF_SESSION_LEASE = Duration.ofMinutes(20);
    Duration OVER_SESSION_LEASE = Duration.ofMinutes(35);
    int WINDOW = 8;

    SessionStore backend();

    SessionStore small(int sessions);

    void pass(Duration span);

    Client client(Session session);

    /** A registered client whose numbers may come in any order. */
    default Client client() {
        return client(terms());
    }

    default Client strictClient() {
        return client(terms().mode(Session.Mode.STRICT));
    }

    default Session terms() {
        return Session.of("contract/somebody").window(WINDOW).lease(SESSION_LEASE);
    }
}
