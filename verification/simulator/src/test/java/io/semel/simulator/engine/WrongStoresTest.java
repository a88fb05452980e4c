// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import static io.semel.simulator.engine.Invariant.ALONE;
import static io.semel.simulator.engine.Invariant.EFFECT_ONCE;
import static io.semel.simulator.engine.Invariant.FENCED;
import static io.semel.simulator.engine.Invariant.FENCE_RISES;
import static io.semel.simulator.engine.Invariant.FINGERPRINT;
import static io.semel.simulator.engine.Invariant.GRANTED;
import static io.semel.simulator.engine.Invariant.HONEST;
import static io.semel.simulator.engine.Invariant.KEPT_ALIVE;
import static io.semel.simulator.engine.Invariant.LATE;
import static io.semel.simulator.engine.Invariant.LOUD;
import static io.semel.simulator.engine.Invariant.ONE_ANSWER;
import static io.semel.simulator.engine.Invariant.ONE_FRESH;
import static io.semel.simulator.engine.Invariant.RECONCILED;
import static io.semel.simulator.engine.Invariant.REFUSED;
import static io.semel.simulator.engine.Invariant.STORE_LAW;
import static io.semel.simulator.engine.Invariant.UNSTUCK;
import static io.semel.simulator.engine.Invariant.ZOMBIE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.semel.memory.MemoryStore;
import io.semel.simulator.Liveness;
import io.semel.simulator.Played;
import io.semel.simulator.Seeds;
import io.semel.store.Store;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator itself under test: whatever is wrong with a store, a driver or a heartbeat, it must find out. */
class WrongStoresTest {

    private static final int SEEDS = 500;
    /** For what needs two hanging calls at once. */
    private static final int RARE = 10_000;

    private static final PrintStream SILENT = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);

    @ParameterizedTest(name = "{0} breaks {1}")
    @MethodSource
    void aWrongStoreIsFoundByItsLaws(UnaryOperator<Store> wrong, List<Enum<?>> breaks, TestInfo test) {
        Played found = find(on(wrong), test);

        assertThat(found.violation().rule()).isIn(STORE_LAW, HONEST);
    }

    static Stream<Arguments> aWrongStoreIsFoundByItsLaws() {
        return wrongStores();
    }

    /** Without looking at what the store answers, only at what becomes of calls and effects. */
    @ParameterizedTest(name = "{0} breaks {1}")
    @MethodSource
    void aWrongStoreIsFoundByWhatItDoesToItsUsers(UnaryOperator<Store> wrong, List<Enum<?>> breaks, TestInfo test) {
        Played found = find(on(wrong).waiving(STORE_LAW), test);

        assertThat(found.violation().rule()).isIn(breaks);
    }

    static Stream<Arguments> aWrongStoreIsFoundByWhatItDoesToItsUsers() {
        return wrongStores();
    }

    @ParameterizedTest(name = "{0} breaks {1}")
    @MethodSource
    void aWrongDriverIsFound(UnaryOperator<Store> wrong, List<Enum<?>> breaks, TestInfo test) {
        Played found = find(EngineSimulation.inMemory().withDriver(wrong), test);

        assertThat(found.violation().rule()).isIn(breaks);
    }

    static Stream<Arguments> aWrongDriverIsFound() {
        return Stream.of(
                wrong("FailsOpen", WrongDrivers.FailsOpen::new, GRANTED),
                wrong("IgnoresRefusals", WrongDrivers.IgnoresRefusals::new, ZOMBIE, HONEST),
                wrong("HidesFailures", WrongDrivers.HidesFailures::new, ZOMBIE, HONEST, ONE_ANSWER),
                wrong("CachesAnswers", WrongDrivers.CachesAnswers::new, ONE_ANSWER, HONEST, FINGERPRINT),
                wrong("MixesUpKeys", WrongDrivers.MixesUpKeys::new, GRANTED, ONE_ANSWER, HONEST, LOUD, UNSTUCK));
    }

    @Test
    void aMissingHeartbeatCostsLeasesAndNothingElse(TestInfo test) {
        EngineSimulation mute = EngineSimulation.inMemory().withClockwork(WrongClocks::withoutHeartbeat);

        assertThat(find(mute, test).violation().rule()).isEqualTo(KEPT_ALIVE);
        Seeds.of(0, SEEDS, SILENT).play(mute.waiving(KEPT_ALIVE));
    }

    @Test
    void aLateHeartbeatCostsLeasesAndNothingElse(TestInfo test) {
        EngineSimulation late = EngineSimulation.inMemory().withClockwork(WrongClocks::withLateHeartbeat);

        assertThat(find(late, test).violation().rule()).isEqualTo(KEPT_ALIVE);
        Seeds.of(0, SEEDS, SILENT).play(late.waiving(KEPT_ALIVE));
    }

    @Test
    void renewalsOnOneThreadCostLeasesAndNothingElse(TestInfo test) {
        EngineSimulation oneThread = EngineSimulation.inMemory().withClockwork(WrongClocks::withOneThread);

        assertThat(find(oneThread, RARE, test).violation().rule()).isEqualTo(KEPT_ALIVE);
        Seeds.of(0, SEEDS, SILENT).play(oneThread.waiving(KEPT_ALIVE));
    }

    private static Stream<Arguments> wrongStores() {
        return Stream.of(
                wrong("DoesNotKnowItsHolders", WrongClaims.DoesNotKnowItsHolders::new, HONEST),
                wrong("EvictsResults", WrongSettles.EvictsResults::new, LATE, HONEST, LOUD, ONE_ANSWER),
                wrong("FallingFence", WrongClaims.FallingFence::new, FENCE_RISES),
                wrong("ForgetsEarly", WrongSettles.ForgetsEarly::new, LATE, HONEST, LOUD, ALONE),
                wrong("GrantsTwice", WrongClaims.GrantsTwice::new, ALONE, KEPT_ALIVE, LOUD, FINGERPRINT),
                wrong("HidesAbandonment", WrongClaims.HidesAbandonment::new, REFUSED, RECONCILED, LOUD),
                wrong("IgnoresFingerprints", WrongClaims.IgnoresFingerprints::new, FINGERPRINT),
                wrong("IgnoresRenewals", WrongSettles.IgnoresRenewals::new, ALONE, KEPT_ALIVE),
                wrong("KeepsReleased", WrongSettles.KeepsReleased::new, HONEST),
                wrong(
                        "LocksWithTimeToLive",
                        WrongClaims.LocksWithTimeToLive::new,
                        REFUSED,
                        RECONCILED,
                        LOUD,
                        FINGERPRINT),
                wrong("LosesResults", WrongSettles.LosesResults::new, LATE, ONE_ANSWER, UNSTUCK),
                wrong("ManglesResults", WrongClaims.ManglesResults::new, ONE_ANSWER),
                wrong("NeverLapses", WrongClaims.NeverLapses::new, UNSTUCK, Liveness.NO_ENDLESS_LOOP),
                wrong("OverwritesResults", WrongSettles.OverwritesResults::new, ZOMBIE, ONE_FRESH, ONE_ANSWER),
                wrong("ReleasesForAnyone", WrongSettles.ReleasesForAnyone::new, ALONE, EFFECT_ONCE),
                wrong("RetainsBriefly", WrongSettles.RetainsBriefly::new, HONEST),
                wrong("SettlesForAnyone", WrongSettles.SettlesForAnyone::new, ZOMBIE, FENCED, ALONE, EFFECT_ONCE),
                wrong("ShortensLeases", WrongClaims.ShortensLeases::new, ALONE, KEPT_ALIVE),
                wrong("StandingFence", WrongClaims.StandingFence::new, FENCE_RISES));
    }

    private static Arguments wrong(String name, UnaryOperator<Store> bend, Enum<?>... breaks) {
        return arguments(Named.of(name, bend), List.of(breaks));
    }

    private static EngineSimulation on(UnaryOperator<Store> wrong) {
        return EngineSimulation.on(time -> wrong.apply(new MemoryStore(1 << 20, time)));
    }

    /** The first seed that finds it. */
    private static Played find(EngineSimulation simulation, TestInfo test) {
        return find(simulation, SEEDS, test);
    }

    private static Played find(EngineSimulation simulation, int seeds, TestInfo test) {
        Played found = Seeds.of(0, seeds, SILENT).find(simulation);
        assertThat(found).as("one of " + seeds + " seeds finds it").isNotNull();
        System.out.println("simulator: " + test.getDisplayName() + ": found by seed " + found.seed() + " as "
                + found.violation().rule());
        return found;
    }
}
