// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.memory.MemoryStore;
import io.semel.simulator.Simulation;
import io.semel.simulator.Task;
import io.semel.simulator.World;
import io.semel.store.Store;
import io.semel.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Engines on several nodes over one store, with clients that share keys and an operator; every {@link Invariant} must hold.
 * Immutable, each {@code with…} method gives a changed copy.
 */
public final class EngineSimulation implements Simulation {

    private static final long ROOM = 1 << 20;

    private final Function<Time, Store> store;
    private final UnaryOperator<Store> driver;
    private final UnaryOperator<Time> clockwork;
    private final Set<Invariant> waived;

    private EngineSimulation(
            Function<Time, Store> store,
            UnaryOperator<Store> driver,
            UnaryOperator<Time> clockwork,
            Set<Invariant> waived) {
        this.store = store;
        this.driver = driver;
        this.clockwork = clockwork;
        this.waived = waived;
    }

    /** On the memory store. */
    public static EngineSimulation inMemory() {
        return on(time -> new MemoryStore(ROOM, time));
    }

    /** On any store that follows the given time, is Inspectable and does not wait. */
    public static EngineSimulation on(Function<Time, Store> store) {
        return new EngineSimulation(store, it -> it, it -> it, EnumSet.noneOf(Invariant.class));
    }

    /** Puts something between each engine and the store, on the engine's side of all faults. */
    public EngineSimulation withDriver(UnaryOperator<Store> other) {
        return new EngineSimulation(store, other, clockwork, waived);
    }

    /** Puts something between each engine and its time. */
    public EngineSimulation withClockwork(UnaryOperator<Time> other) {
        return new EngineSimulation(store, driver, other, waived);
    }

    /** Does not judge by this invariant. */
    public EngineSimulation waiving(Invariant invariant) {
        Set<Invariant> more = EnumSet.of(invariant);
        more.addAll(waived);
        return new EngineSimulation(store, driver, clockwork, more);
    }

    @Override
    public void play(World world) {
        Scene scene = new Scene(world, waived);
        world.tell(scene.setup.toString());
        scene.setup.arm(scene.faults);
        Store shared = store.apply(world.storeClock());
        // However often its clock is set back, the store has always been older than that.
        world.storeClock().jump(Duration.ofHours(1));
        Fleet fleet = new Fleet(scene, shared, driver, clockwork);
        Door door = new Door(scene, fleet);
        Person person = new Person(scene, fleet);
        List<Task> tasks = new ArrayList<>();
        for (int i = 1; i <= scene.setup.clients(); i++) {
            tasks.add(world.spawn("client-" + i, new Client(scene, door)));
        }
        tasks.add(world.spawn("person", person));
        world.after(scene.chance.partOf(scene.setup.lease(), 2, scene.chance.of(0.5) ? 20 : 120), scene.faults::calm);
        world.join(tasks);
        scene.faults.calm();
        new Aftermath(scene, door, person).play();
    }
}
