// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Engine;
import io.semel.simulator.Node;
import io.semel.simulator.WiredStore;
import io.semel.store.Store;
import io.semel.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The servers that clients can call; one that died is started anew, as another node, when somebody calls it. */
final class Fleet {

    private static final long SOON_OVERFLOWS = Long.MAX_VALUE - 20_000_000_000L;

    private final Scene scene;
    private final Store store;
    private final UnaryOperator<Store> driver;
    private final UnaryOperator<Time> clockwork;
    private final List<Server> servers = new ArrayList<>();
    private int started;

    Fleet(Scene scene, Store store, UnaryOperator<Store> driver, UnaryOperator<Time> clockwork) {
        this.scene = scene;
        this.store = store;
        this.driver = driver;
        this.clockwork = clockwork;
        for (int i = 0; i < scene.setup.nodes(); i++) {
            servers.add(start());
        }
    }

    Server pick() {
        int index = scene.chance.below(servers.size());
        if (servers.get(index).node().isDead()) {
            servers.set(index, start());
        }
        return servers.get(index);
    }

    private Server start() {
        boolean steady = scene.setup.steadyClocks();
        double rate = steady ? 1 : 0.7 + scene.chance.fraction() * 0.7;
        long origin = scene.chance.pick(List.of(0L, -1L, Long.MIN_VALUE, SOON_OVERFLOWS));
        Node node = new Node(scene.world, "p" + ++started, origin, rate);
        Store wired = driver.apply(new WiredStore(scene.world, node, store, scene.book));
        Ears ears = new Ears(scene.world, node);
        return new Server(node, Engine.on(wired, clockwork.apply(node.time())).withListener(ears), ears);
    }
}
