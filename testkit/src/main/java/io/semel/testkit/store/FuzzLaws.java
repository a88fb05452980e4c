// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import io.semel.store.Purgeable;
import io.semel.store.Store;
import io.semel.testkit.history.History;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Fuzz;
import io.semel.testkit.internal.laws.Grants;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Race;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories, one step after the other and all at once, keep all laws together. */
interface FuzzLaws {

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 20, 300, 4_000})
    @Law({"S1", "S2", "S3", "S4", "S5", "S6", "S7", "S12", "S13"})
    default void anythingInAnyOrderKeepsTheLaws(long seed, Bench bench) {
        History history = new History();
        List<Store> handles = watch(history, bench, bench.elsewhere());
        Fuzz fuzz = new Fuzz(seed, bench, "slot ", new Grants());
        for (int step = 0; step < 400; step++) {
            if (fuzz.oneIn(8)) {
                elapse(history, bench, fuzz.ticks());
            }
            if (fuzz.oneIn(40) && bench.store() instanceof Purgeable purgeable) {
                purgeable.purge(10);
            }
            fuzz.step(handles.get(step % 2), 3);
        }
        history.check();
    }

    @Test
    @Law({"S1", "S2", "S3", "S4", "S5", "S6", "S7", "S12", "S13"})
    default void anythingAtOnceKeepsTheLaws(Bench bench) {
        History history = new History();
        List<Store> handles = watch(history, bench, bench.elsewhere());
        for (int round = 0; round < 20; round++) {
            rush(history, handles, bench, round);
        }
        history.check();
    }

    private static void rush(History history, List<Store> handles, Bench bench, int round) {
        String name = "round " + round + ", slot ";
        Grants grants = new Grants();
        Fuzz times = new Fuzz(round, bench, name, grants);
        for (int phase = 0; phase < 3; phase++) {
            long seed = 100L * round + 10L * phase;
            Race.of(4, i -> () -> {
                Fuzz fuzz = new Fuzz(seed + i, bench, name, grants);
                for (int step = 0; step < 6; step++) {
                    fuzz.step(handles.get(i % 2), 1);
                }
                return i;
            });
            elapse(history, bench, times.ticks());
        }
    }

    private static void elapse(History history, Bench bench, Duration span) {
        history.elapse(span, () -> bench.elapse(span));
    }

    private static List<Store> watch(History history, Bench bench, Bench elsewhere) {
        return List.of(history.watch(bench.store()), history.watch(elsewhere.store()));
    }
}
