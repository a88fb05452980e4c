// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.OutcomeUnknown;
import io.semel.StoreException;
import io.semel.Work;
import io.semel.testkit.fault.Wire;
import io.semel.testkit.fault.Wire.Moment;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a store that commits by itself says of a commit when the network fails in the middle of it. */
abstract class TransactingFaultContract extends WiredContract {

    final AtomicInteger runs = new AtomicInteger();
    private Call call = Till.newCall();
    TransactingStore store;

    @BeforeAll
    void openStore() {
        store = TransactingStore.on(wired);
    }

    @BeforeEach
    void startAnew() {
        call = Till.newCall();
        runs.set(0);
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

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aSessionKilledAtAnyStepCostsNothingOrIsSaid(Moment moment) throws Exception {
        DyingSessions sessions = new DyingSessions(direct);
        TransactingStore dying = TransactingStore.on(sessions.source());
        int steps = 0;
        boolean killed;
        do {
            startAnew();
            sessions.killAt(steps++, moment);
            try {
                assertThat(inTheEnd(dying).orThrow()).isEqualTo("charged");
            } catch (StoreException | SQLException e) {
                assertThat(till.charges(call))
                        .as("charges of a call that failed")
                        .isZero();
            }
            killed = sessions.killed();
            assertThat(inTheEnd(dying).orThrow()).isEqualTo("charged");
            assertThat(till.charges(call)).isEqualTo(1);
            assertThat(direct.getHikariPoolMXBean().getActiveConnections()).isZero();
        } while (killed);
        assertThat(steps).isGreaterThan(3);
    }

    @Test
    void whoWaitsTooLongForAnotherProcessIsToldBusyAndAnsweredLater() throws Exception {
        try (HikariDataSource hurried = database.hurried().get();
                Connection other = till.begin()) {
            TransactingStore waiting = TransactingStore.on(hurried);
            till.charge(other, call);

            assertThat(charge(waiting)).isInstanceOf(Outcome.Busy.class);
            other.commit();
            assertThat(charge(waiting)).isEqualTo(new Done<>("charged", true));
        }
        assertThat(till.charges(call)).isEqualTo(1);
    }

    int charges() throws SQLException {
        return till.charges(call);
    }

    Outcome<String> charge(TransactingStore with, Moment moment, Wire.Failure failure) throws SQLException {
        Work<String, SQLException> charging = TransactingStoreContract.charging(with, call);
        return Engine.on(with).run(call, Till.UTF8, attempt -> {
            if (runs.incrementAndGet() == 1) {
                wire.failAt("COMMIT", moment, failure);
            }
            return charging.run(attempt);
        });
    }

    Outcome<String> charge(TransactingStore with) throws SQLException {
        return Engine.on(with).run(call, Till.UTF8, TransactingStoreContract.charging(with, call));
    }

    /** Waits while the call is busy: a server may notice only later that a session is dead. */
    private Outcome<String> inTheEnd(TransactingStore with) throws SQLException {
        return Engine.on(with)
                .with(Operation.named("charge").waitWhenBusy(Duration.ofMinutes(1)))
                .run(call, Till.UTF8, TransactingStoreContract.charging(with, call));
    }
}
