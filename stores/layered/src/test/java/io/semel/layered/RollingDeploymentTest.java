// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Operation;
import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A live service on its way from one store to another, release by release, with the same calls coming all the time. */
class RollingDeploymentTest {

    private static final int CALLS = 200;
    private static final int THREADS = 4;

    private final MemoryStore old = new MemoryStore(16 << 20);
    private final MemoryStore next = new MemoryStore(16 << 20);
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final List<Call> calls = new ArrayList<>();
    private final List<AtomicInteger> effects = new ArrayList<>();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** Also where a stage is taken back: from both to the old one alone, and from the next one alone to both. */
    @Test
    void everyCallHappensOnceAndIsAnsweredTheSameInEveryStage() throws Exception {
        Engine oldAlone = engine(old);
        Engine both = engine(migrating());
        Engine alsoBoth = engine(migrating());
        Engine nextAlone = engine(next);

        stage(0, oldAlone, oldAlone);
        stage(1, oldAlone, both);
        stage(2, both, alsoBoth);
        stage(3, both, oldAlone);
        stage(4, both, alsoBoth);
        assertThat(migrating().move().left()).isZero();
        stage(5, both, nextAlone);
        stage(6, nextAlone, nextAlone);
        stage(7, both, nextAlone);

        assertThat(effects).hasSize(8 * CALLS).extracting(AtomicInteger::get).containsOnly(1);
    }

    private MigratingStore migrating() {
        return MigratingStore.of(old, next, Duration.ofDays(1));
    }

    private static Engine engine(Store store) {
        return Engine.on(store).with(Operation.named("charge").waitWhenBusy(Duration.ofSeconds(30)));
    }

    /** Some new calls, and old ones again, each by several at once. */
    private void stage(int number, Engine... engines) throws Exception {
        for (int i = 0; i < CALLS; i++) {
            calls.add(Call.of(Trial.key(), Trial.ASKED));
            effects.add(new AtomicInteger());
        }
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(10L * number + i);
            Engine engine = engines[i % engines.length];
            running.add(threads.submit(() -> {
                for (int each = number * CALLS; each < calls.size(); each++) {
                    run(engine, each);
                    run(engine, random.nextInt(each + 1));
                }
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
    }

    private void run(Engine engine, int number) {
        String answer = engine.run(
                        calls.get(number),
                        Codec.utf8(),
                        attempt -> "effect " + effects.get(number).incrementAndGet())
                .orThrow();
        assertThat(answer).isEqualTo("effect 1");
    }
}
