// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One node's view of a store of sessions that all nodes share, with faults on the way there and back. */
public final class WiredSessions implements SessionStore {

    private final World world;
    private final SessionStore store;
    private final Wire wire;

    /** The store must not wait. */
    public WiredSessions(World world, Node node, SessionStore store) {
        this.world = world;
        this.store = store;
        this.wire = new Wire(world, node);
    }

    @Override
    public Level level() {
        return store.level();
    }

    /** By the store's clock in this world, because the store itself would start from the machine's. */
    @Override
    public Instant now() {
        return wire.send(() -> world.storeClock().instant());
    }

    /** A registration that arrived after the session was closed would make it anew: the one promise that N10 does not make. */
    @Override
    public Registration register(Session session, int mostOfScope) {
        return wire.sendAtOnce(() -> store.register(session, mostOfScope));
    }

    @Override
    public State keepAlive(SessionKey key, long firstOutstanding) {
        return wire.send(() -> store.keepAlive(key, firstOutstanding));
    }

    @Override
    public boolean close(SessionKey key) {
        return wire.send(() -> store.close(key));
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        return wire.send(List.of(call.key()), () -> store.claim(call, holder, lease));
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return wire.send(List.of(key), () -> store.settle(key, holder, fence, settlement));
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return wire.send(List.of(key), () -> store.peek(key));
    }

    @Override
    public int purge(int limit) {
        return wire.send(() -> store.purge(limit));
    }

    @Override
    public Counts countSessions() {
        return wire.send(store::countSessions);
    }
}
