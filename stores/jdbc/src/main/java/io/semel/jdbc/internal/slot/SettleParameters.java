// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.Key;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.store.Settlement;
import io.semel.store.Store;

/** A settlement as the parameters of a statement. */
public record SettleParameters(Key key, Object id, byte[] holder, long fence, Settlement settlement) {

    public static SettleParameters of(SqlDialect dialect, Store.Settling settling) {
        return new SettleParameters(
                settling.key(),
                dialect.binary16(settling.key().hash()),
                SqlValues.holder(settling.holder()),
                settling.fence(),
                settling.settlement());
    }

    Settlement.Complete completion() {
        return (Settlement.Complete) settlement;
    }
}
