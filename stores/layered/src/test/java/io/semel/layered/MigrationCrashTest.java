// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.WhenAbandoned;
import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import io.semel.testkit.fault.CrashPoint;
import io.semel.testkit.fault.FlakyStore;
import io.semel.testkit.fault.SimulatedCrash;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A process that uses both stores dies anywhere between them; others, of this release or the ones beside it, take over. */
class MigrationCrashTest {

    private static final Operation OPERATION =
            Operation.named("charge").whenAbandoned(WhenAbandoned.refuse()).lease(Trial.LEASE);

    /** May become the answer once somebody is asked who has it; an answer never becomes anything else. */
    private static final String UNKNOWN = new Outcome.Refused<String>(Outcome.Reason.UNKNOWN).toString();

    private final ManualTime time = new ManualTime();
    private final MemoryStore old = new MemoryStore(1 << 20, time);
    private final MemoryStore next = new MemoryStore(1 << 20, time);
    private final MigratingStore both = MigratingStore.of(old, next, Duration.ofDays(1), time);
    private final Call call = Call.of(Trial.key(), Trial.ASKED);
    private int effects;

    @ParameterizedTest(name = "{0} of the {1} store, then {2}")
    @MethodSource("crashes")
    void nothingHappensTwiceAndWhatWasToldStays(CrashPoint point, String where, List<String> retries) {
        FlakyStore dyingOld = FlakyStore.on(old, time);
        FlakyStore dyingNext = FlakyStore.on(next, time);
        (where.equals("old") ? dyingOld : dyingNext).next(point).crashes();
        Store dying = MigratingStore.of(dyingOld, dyingNext, Duration.ofDays(1), time);
        assertThatThrownBy(() -> run(dying)).isInstanceOf(SimulatedCrash.class);
        time.pause(Trial.LEASE.multipliedBy(2));

        Outcome<String> told = run(store(retries.get(0)));
        assertThat(effects).isLessThanOrEqualTo(1);
        for (String retry : retries.subList(1, retries.size())) {
            Outcome<String> again = run(store(retry));
            assertThat(effects).isLessThanOrEqualTo(1);
            boolean resolved = plain(told).equals(UNKNOWN) && again instanceof Outcome.Done<String>;
            assertThat(resolved || plain(again).equals(plain(told)))
                    .as("%s after %s", again, told)
                    .isTrue();
            told = again;
        }
    }

    static Stream<Arguments> crashes() {
        List<CrashPoint> points = List.of(
                CrashPoint.BEFORE_CLAIM, CrashPoint.AFTER_CLAIM, CrashPoint.BEFORE_COMPLETE, CrashPoint.AFTER_COMPLETE);
        List<List<String>> retries = List.of(
                List.of("old", "both", "old"),
                List.of("both", "old", "both"),
                List.of("old", "both", "next"),
                List.of("both", "next", "both"),
                List.of("next", "both", "next"));
        return points.stream()
                .flatMap(point -> Stream.of("old", "next")
                        .flatMap(where -> retries.stream().map(order -> Arguments.of(point, where, order))));
    }

    private Store store(String which) {
        return switch (which) {
            case "old" -> old;
            case "next" -> next;
            default -> both;
        };
    }

    private Outcome<String> run(Store store) {
        return Engine.on(store, time).with(OPERATION).run(call, Codec.utf8(), attempt -> "effect " + ++effects);
    }

    /** Without whether it was a replay. */
    private static String plain(Outcome<String> outcome) {
        return outcome instanceof Outcome.Done<String> done ? done.value() : outcome.toString();
    }
}
