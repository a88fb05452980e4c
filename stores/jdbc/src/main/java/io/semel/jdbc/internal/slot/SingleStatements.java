// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.jdbc.internal.sql.Connections;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.store.Claim;
import java.util.List;
import java.util.Optional;

/** Sends each request in a statement of its own, for databases that cannot batch them. */
record SingleStatements(
        SqlDialect dialect, StepwiseClaims claims, SettleStatements settles, Lookups looks, Connections connections)
        implements StatementRunner {

    @Override
    public Claim claim(ClaimParameters claiming) {
        return connections.autocommitting(
                () -> "claim " + claiming.call().key(), connection -> claims.claim(connection, claiming));
    }

    @Override
    public boolean settle(SettleParameters settle) {
        return settleAll(List.of(settle)).get(0);
    }

    private boolean settleOnce(SettleParameters settle) {
        return connections.autocommitting(
                () -> "settle " + settle.key(), connection -> settles.settle(connection, settle));
    }

    @Override
    public Optional<SlotRow> look(Object id) {
        return connections.autocommitting(() -> "look up a slot", connection -> looks.look(connection, id));
    }

    @Override
    public List<Claim> claimAll(List<ClaimParameters> claimings) {
        return claimings.stream().map(this::claim).toList();
    }

    @Override
    public List<Boolean> settleAll(List<SettleParameters> settles) {
        return StatementRunner.settleEach(settles, dialect, this::settleOnce);
    }
}
