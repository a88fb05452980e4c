// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.jdbc.Claims.Claiming;
import io.semel.jdbc.Settles.Settle;
import io.semel.store.Claim;
import java.util.List;
import java.util.Optional;

/** Each question alone, for databases that do not take many in one statement. */
record SingleTrips(Dialect dialect, Claims claims, Settles settles, Looks looks, Connections connections)
        implements Trips {

    @Override
    public Claim claim(Claiming claiming) {
        return connections.autocommitting(
                () -> "claim " + claiming.call().key(), connection -> claims.claim(connection, claiming));
    }

    @Override
    public boolean settle(Settle settle) {
        return settleAll(List.of(settle)).get(0);
    }

    private boolean settleOnce(Settle settle) {
        return connections.autocommitting(
                () -> "settle " + settle.key(), connection -> settles.settle(connection, settle));
    }

    @Override
    public Optional<Row> look(Object id) {
        return connections.autocommitting(() -> "look at a slot", connection -> looks.look(connection, id));
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        return claimings.stream().map(this::claim).toList();
    }

    @Override
    public List<Boolean> settleAll(List<Settle> settles) {
        return Trips.each(settles, dialect, this::settleOnce);
    }
}
