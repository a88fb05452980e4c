// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Engine;
import io.semel.Outcome.Done;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Without a lock the same holds; only that two processes may both do what one of them keeps. */
class PostgresOptimisticTest extends PostgresTransactingTest {

    @Override
    String name() {
        return "optimistic";
    }

    @Override
    boolean locks() {
        return false;
    }

    @Override
    TransactingStore store(DataSource source) {
        return TransactingStore.on(source).optimistic();
    }

    @Test
    void whoeverCommitsSecondRollsBackAndGetsTheFirstOnesAnswer() throws SQLException {
        TransactingStore other = store(database());
        Engine otherEngine = engine(other);
        Call call = Till.newCall();
        AtomicInteger runs = new AtomicInteger();

        var late = engine.run(call, Till.UTF8, attempt -> {
            runs.incrementAndGet();
            Till.insert(store.connection(attempt), call);
            // The other process gets the same call now, and is done with it before this one commits.
            otherEngine.run(call, Till.UTF8, their -> {
                Till.insert(other.connection(their), call);
                return "charged by the other";
            });
            return "charged";
        });

        assertThat(late).isEqualTo(new Done<>("charged by the other", true));
        assertThat(runs).hasValue(1);
        assertThat(till.charges(call)).isEqualTo(1);
    }
}
