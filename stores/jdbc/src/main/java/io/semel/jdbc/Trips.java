// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Claim;
import io.semel.jdbc.Claims.Claiming;
import io.semel.jdbc.Settles.Settle;
import java.util.List;
import java.util.Optional;

/** How a store's questions get to its database: each alone, or together with what others ask at the same time. */
interface Trips {

    Claim claim(Claiming claiming);

    boolean settle(Settle settle);

    /** What is there, free or not. */
    Optional<Row> look(Object id);

    /** Claims of different keys, answered in their order. */
    List<Claim> claimAll(List<Claiming> claimings);

    /** Settlements of different keys, answered in their order. */
    List<Boolean> settleAll(List<Settle> settles);

    static Trips of(Dialect dialect, Connections connections) {
        return dialect == Dialect.POSTGRESQL
                ? new SharedTrips(connections)
                : new SingleTrips(new StepwiseClaims(dialect), new Settles(dialect), new Looks(dialect), connections);
    }
}
