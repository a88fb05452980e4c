// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import io.semel.Call;
import io.semel.Key;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** One server's connection to a store, for {@link ContractServer#cut} and {@link ContractServer#kill}. */
public final class CuttableStore extends ForwardingStore {

    private enum State {
        CONNECTED,
        CUT,
        DEAD
    }

    private volatile State state = State.CONNECTED;

    public CuttableStore(Store store) {
        super(store);
    }

    /** Every call fails as if no connection could be opened. */
    public void cut() {
        state = State.CUT;
    }

    public void mend() {
        state = State.CONNECTED;
    }

    /** Every call dies as its process has. */
    public void kill() {
        state = State.DEAD;
    }

    private void check() {
        if (state == State.CUT) {
            throw StoreException.unreachable("The connection was cut, as the test asked.", null);
        }
        if (state == State.DEAD) {
            throw new Killed();
        }
    }

    @Override
    public Instant now() {
        check();
        return super.now();
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        check();
        return super.claim(call, holder, lease);
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        check();
        return super.settle(key, holder, fence, settlement);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        check();
        return super.peek(key);
    }

    private static final class Killed extends Error {

        private static final long serialVersionUID = 1;

        Killed() {
            super("The server was killed, as the test asked.");
        }
    }
}
