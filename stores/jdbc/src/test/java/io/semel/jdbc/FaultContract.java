// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Engine;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.testkit.fault.Wire;
import io.semel.testkit.fault.Wire.Moment;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What sessions that die and networks that fail do to calls: they happen once all the same, and nobody is told otherwise. */
abstract class FaultContract extends WiredContract {

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aSessionKilledAtAnyStepOfALeasedCallCostsNothing(Moment moment) {
        DyingSessions sessions = new DyingSessions(direct);
        Engine engine = leased(sessions.source());
        int steps = 0;
        do {
            AtomicInteger effects = new AtomicInteger();
            Call call = Till.newCall();
            sessions.killAt(steps++, moment);
            assertThat(engine.run(call, Till.UTF8, attempt -> "effect " + effects.incrementAndGet()))
                    .isEqualTo(new Done<>("effect 1", false));
            assertThat(engine.run(call, Till.UTF8, attempt -> "effect " + effects.incrementAndGet()))
                    .isEqualTo(new Done<>("effect 1", true));
        } while (sessions.killed());
        assertThat(steps).isGreaterThan(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aSessionKilledAtAnyStepOfAJoinedCallUndoesAllOfItOrNothing(Moment moment) throws Exception {
        DyingSessions sessions = new DyingSessions(direct);
        Till dying = new Till(sessions.source());
        int steps = 0;
        boolean killed;
        do {
            Call call = Till.newCall();
            sessions.killAt(steps++, moment);
            boolean told = isCharged(dying, call);
            killed = sessions.killed();
            assertThat(told).isEqualTo(!killed);
            assertThat(inTheEnd(call).orThrow()).isEqualTo("charged");
            assertThat(till.charges(call)).isEqualTo(1);
        } while (killed);
        assertThat(steps).isGreaterThan(3);
    }

    @ParameterizedTest
    @CsvSource({"BEFORE, CUT", "AFTER, CUT", "BEFORE, BLACK_HOLE", "AFTER, BLACK_HOLE"})
    void aNetworkThatFailsDuringAClaimCostsNothing(Moment moment, Wire.Failure failure) {
        Engine engine = leased(wired);
        Call call = Till.newCall();
        AtomicInteger effects = new AtomicInteger();
        wire.failAt("semel_slot", moment, failure);

        assertThat(engine.run(call, Till.UTF8, attempt -> "effect " + effects.incrementAndGet()))
                .isEqualTo(new Done<>("effect 1", false));
        assertThat(wire.failed()).isTrue();
        assertThat(effects).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({"BEFORE, CUT", "AFTER, CUT", "BEFORE, BLACK_HOLE", "AFTER, BLACK_HOLE"})
    void aNetworkThatFailsDuringASettleCostsNothing(Moment moment, Wire.Failure failure) {
        Engine engine = leased(wired);
        Call call = Till.newCall();
        AtomicInteger effects = new AtomicInteger();

        Outcome<String> outcome = engine.run(call, Till.UTF8, attempt -> {
            wire.failAt("semel_slot", moment, failure);
            return "effect " + effects.incrementAndGet();
        });
        assertThat(outcome).isEqualTo(new Done<>("effect 1", false));
        assertThat(wire.failed()).isTrue();
        assertThat(engine.run(call, Till.UTF8, attempt -> "effect " + effects.incrementAndGet()))
                .isEqualTo(new Done<>("effect 1", true));
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aCommitThatWasCutIsAnsweredByTheSameCallAgain(Moment moment) throws Exception {
        Till far = new Till(wired);
        Call call = Till.newCall();
        wire.failAt("COMMIT", moment, Wire.Failure.CUT);

        assertThat(isCharged(far, call)).isFalse();
        assertThat(wire.failed()).isTrue();
        assertThat(inTheEnd(call)).isEqualTo(new Done<>("charged", moment == Moment.AFTER));
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void aCommitOfWhichNothingIsHeardAgainIsAnsweredByTheSameCall() throws Exception {
        Till far = new Till(wired);
        Call call = Till.newCall();
        wire.failAt("COMMIT", Moment.AFTER, Wire.Failure.BLACK_HOLE);

        assertThat(isCharged(far, call)).isFalse();
        assertThat(wire.failed()).isTrue();
        assertThat(till.charge(call)).isEqualTo(new Done<>("charged", true));
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void whatWasCommittedSurvivesACrashOfTheServerAndWhatWasNotIsUndone() throws Exception {
        Call committed = Till.newCall();
        Call open = Till.newCall();
        till.charge(committed);
        try (Connection connection = till.begin()) {
            till.charge(connection, open);
            database.crash().run();
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        } catch (SQLException whileClosing) {
            assertThat(whileClosing.getSQLState()).startsWith("08");
        }
        direct.getHikariPoolMXBean().softEvictConnections();
        wired.getHikariPoolMXBean().softEvictConnections();

        assertThat(inTheEnd(committed)).isEqualTo(new Done<>("charged", true));
        assertThat(inTheEnd(open)).isEqualTo(new Done<>("charged", false));
        assertThat(till.charges(committed)).isEqualTo(1);
        assertThat(till.charges(open)).isEqualTo(1);
    }

    private static Engine leased(DataSource source) {
        return Engine.on(JdbcStore.on(source))
                .with(Operation.named("charge").lease(Duration.ofSeconds(30)).waitWhenBusy(Duration.ofMinutes(1)));
    }

    /** Waits while the call is busy: a server may notice only later that a session is dead, and undo what it did only then. */
    private Outcome<String> inTheEnd(Call call) throws SQLException {
        return till.inTransaction(connection -> till.chargeInTheEnd(connection, call));
    }

    /** Whether the caller was told so; if not, it does not know. */
    private static boolean isCharged(Till till, Call call) {
        try {
            return till.charge(call) instanceof Done;
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }
}
