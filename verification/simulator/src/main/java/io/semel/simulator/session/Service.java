// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.session;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.WhenAbandoned;
import io.semel.session.SessionStore;
import io.semel.simulator.Crash;
import io.semel.simulator.Node;
import io.semel.simulator.WiredSessions;
import io.semel.simulator.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Servers over one store, whose work takes its time, fails before it has done anything, or has an effect. */
final class Service {

    private final World world;
    private final SessionStore store;
    private final Duration lease;
    private final List<Server> servers = new ArrayList<>();
    private int started;
    private int effects;

    Service(World world, SessionStore store, Duration lease, int nodes) {
        this.world = world;
        this.store = store;
        this.lease = lease;
        for (int i = 0; i < nodes; i++) {
            servers.add(start());
        }
    }

    private Server start() {
        Node node = new Node(world, "p" + ++started, 0, 0.8 + world.chance().fraction() * 0.4);
        SessionStore wired = new WiredSessions(world, node, store);
        Operation operation = Operation.named("pay")
                .lease(lease)
                .whenAbandoned(WhenAbandoned.refuse())
                .waitWhenBusy(Duration.ZERO);
        return new Server(node, wired, Engine.on(wired, node.time()).with(operation));
    }

    private Server pick() {
        int index = world.chance().below(servers.size());
        if (servers.get(index).node.isDead()) {
            servers.set(index, start());
        }
        return servers.get(index);
    }

    /** Empty if nothing is known of what became of it. */
    Optional<Outcome<String>> ask(Call call, Numbered number) {
        Server server = pick();
        try {
            return Optional.of(server.node.within(() -> {
                world.faults().border(server.node);
                return server.engine.run(call, Codec.utf8(), attempt -> work(server, number));
            }));
        } catch (Crash | RuntimeException unanswered) {
            world.tell(number + " is not answered: " + unanswered);
            return Optional.empty();
        } finally {
            Thread.interrupted();
        }
    }

    private String work(Server server, Numbered number) {
        world.faults().border(server.node);
        boolean hard = !world.faults().areOver() && world.chance().of(0.2);
        world.sleep(world.chance().partOf(lease, 0, hard ? 2 : 0.1));
        if (!world.faults().areOver() && world.chance().of(0.1)) {
            throw new IllegalStateException("simulated: it did not happen");
        }
        world.faults().border(server.node);
        String effect = "effect " + ++effects;
        number.effects.add(effect);
        world.tell(number + " has " + effect);
        if (number.effects.size() > 1) {
            world.violated(SessionInvariant.EFFECT_ONCE, number + ": " + number.effects);
        }
        world.faults().border(server.node);
        return effect;
    }

    /** Something that may be asked again until it is answered; empty if it was not. */
    <T> Optional<T> say(Question<T> question) {
        Server server = pick();
        try {
            return Optional.of(server.node.within(() -> question.to(server.store)));
        } catch (Crash | RuntimeException unanswered) {
            world.tell("not answered: " + unanswered);
            return Optional.empty();
        }
    }

    /** What a client asks beside its requests. */
    @FunctionalInterface
    interface Question<T> {

        T to(SessionStore store);
    }

    private record Server(Node node, SessionStore store, Engine engine) {}
}
