// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.OutcomeUnknown;
import io.semel.Work;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a store that commits by itself says of a commit when the network fails in the middle of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactingFaultTest {

    private final HikariDataSource direct = Postgres.newest().newDatabase("transacting_faults");
    private final Wire wire = new Wire(Postgres.newest().port());
    private final HikariDataSource wired = Pools.of(
            "jdbc:postgresql://localhost:" + wire.port()
                    + "/transacting_faults?sslmode=disable&prepareThreshold=0&socketTimeout=1",
            "postgres",
            "");
    private final AtomicInteger runs = new AtomicInteger();
    private Call call = Till.newCall();
    private final Till till;
    private final TransactingStore store;

    TransactingFaultTest() {
        Schema.create(direct);
        this.till = new Till(direct);
        this.store = TransactingStore.on(wired);
    }

    @BeforeEach
    void startAnew() {
        call = Till.newCall();
        runs.set(0);
    }

    @AfterAll
    void stop() throws Exception {
        wired.close();
        wire.close();
        direct.close();
    }

    @Test
    void aCommitThatWasAppliedBeforeTheCutIsFound() throws Exception {
        assertThat(charge(store, Moment.AFTER, Wire.Failure.CUT)).isEqualTo(new Done<>("charged", false));
        assertThat(runs).hasValue(1);
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void aCommitThatWasCutBeforeItArrivedRunsAgain() throws Exception {
        assertThat(charge(store, Moment.BEFORE, Wire.Failure.CUT)).isEqualTo(new Done<>("charged", false));
        assertThat(runs).hasValue(2);
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void aCommitOfWhichNothingIsHeardAgainIsFound() throws Exception {
        assertThat(charge(store, Moment.AFTER, Wire.Failure.BLACK_HOLE)).isEqualTo(new Done<>("charged", false));
        assertThat(runs).hasValue(1);
        assertThat(till.charges(call)).isEqualTo(1);
    }

    /** Its transaction is still open at the server, and what was sent may yet arrive. */
    @Test
    void aCommitThatMayStillArriveIsUnknown() {
        assertThatThrownBy(() -> charge(store, Moment.BEFORE, Wire.Failure.BLACK_HOLE))
                .isInstanceOf(OutcomeUnknown.class);
        assertThat(runs).hasValue(1);
    }

    @Test
    void withoutALockACommitThatIsNotFoundIsUnknown() throws Exception {
        assertThatThrownBy(() -> charge(store.optimistic(), Moment.BEFORE, Wire.Failure.CUT))
                .isInstanceOf(OutcomeUnknown.class);
        assertThat(charge(store).orThrow()).isEqualTo("charged");
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void withoutALockACommitThatIsFoundIsKnown() throws Exception {
        assertThat(charge(store.optimistic(), Moment.AFTER, Wire.Failure.CUT)).isEqualTo(new Done<>("charged", false));
        assertThat(runs).hasValue(1);
        assertThat(till.charges(call)).isEqualTo(1);
    }

    private Outcome<String> charge(TransactingStore with, Moment moment, Wire.Failure failure) throws SQLException {
        Work<String, SQLException> charging = TransactingStoreContract.charging(with, call);
        return Engine.on(with).run(call, Till.UTF8, attempt -> {
            if (runs.incrementAndGet() == 1) {
                wire.failAt("COMMIT", moment, failure);
            }
            return charging.run(attempt);
        });
    }

    private Outcome<String> charge(TransactingStore with) throws SQLException {
        return Engine.on(with).run(call, Till.UTF8, TransactingStoreContract.charging(with, call));
    }
}
