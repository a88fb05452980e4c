// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.session;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.session.MemorySessions;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A store of sessions that does what a straight one does, where nothing else is said. */
class BentSessions implements SessionStore {

    final MemorySessions straight;

    BentSessions(MemorySessions straight) {
        this.straight = straight;
    }

    @Override
    public Registration register(Session session, int mostOfScope) {
        return straight.register(session, mostOfScope);
    }

    @Override
    public State keepAlive(SessionKey key, long firstOutstanding) {
        return straight.keepAlive(key, firstOutstanding);
    }

    @Override
    public boolean close(SessionKey key) {
        return straight.close(key);
    }

    @Override
    public Counts countSessions() {
        return straight.countSessions();
    }

    @Override
    public Level level() {
        return straight.level();
    }

    @Override
    public Instant now() {
        return straight.now();
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        return straight.claim(call, holder, lease);
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return straight.settle(key, holder, fence, settlement);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return straight.peek(key);
    }

    @Override
    public int purge(int limit) {
        return straight.purge(limit);
    }
}
