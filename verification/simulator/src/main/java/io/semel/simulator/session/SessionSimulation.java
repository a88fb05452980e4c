// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.session;

import io.semel.session.MemorySessions;
import io.semel.session.SessionStore;
import io.semel.simulator.Chance;
import io.semel.simulator.Fault;
import io.semel.simulator.Simulation;
import io.semel.simulator.Task;
import io.semel.simulator.World;
import io.semel.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Clients with sessions, several servers, one store, and everything that can go wrong; every {@link SessionInvariant} must hold. */
public final class SessionSimulation implements Simulation {

    private static final int ROOM = 1000;

    private final Function<Time, SessionStore> store;

    private SessionSimulation(Function<Time, SessionStore> store) {
        this.store = store;
    }

    public static SessionSimulation inMemory() {
        return on(time -> new MemorySessions(ROOM, time));
    }

    /** On any store that follows the given time and does not wait. */
    public static SessionSimulation on(Function<Time, SessionStore> store) {
        return new SessionSimulation(store);
    }

    @Override
    public void play(World world) {
        Chance chance = world.chance();
        Duration lease = chance.pick(List.of(Duration.ofMillis(300), Duration.ofSeconds(2), Duration.ofSeconds(10)));
        arm(world, lease);
        Watched shared = new Watched(world, store.apply(world.storeClock()));
        Service service = new Service(world, shared, lease, chance.between(1, 3));
        List<Task> tasks = new ArrayList<>();
        for (int i = chance.between(1, 3); i > 0; i--) {
            tasks.add(world.spawn("client-" + i, new Client(world, service, lease, "c" + i)));
        }
        world.after(chance.partOf(lease, 2, 60), world.faults()::calm);
        world.join(tasks);
        world.faults().calm();
        shared.countSessions();
    }

    private static void arm(World world, Duration lease) {
        Chance chance = world.chance();
        double each = chance.pick(List.of(0.0, 0.2, 0.5));
        double fury = chance.pick(List.of(0.5, 1.0, 3.0));
        world.faults().unit(lease);
        for (Fault fault : Fault.values()) {
            if (chance.of(each)) {
                world.faults().odds(fault, fury * 0.02);
            }
        }
    }
}
