// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Event;
import io.semel.Key;
import io.semel.Listener;
import io.semel.simulator.Node;
import io.semel.simulator.World;
import java.util.HashSet;
import java.util.Set;

/** What one node's engine tells about its attempts. */
final class Ears implements Listener {

    private final World world;
    private final Node node;
    private final Set<Told> told = new HashSet<>();

    private record Told(Class<? extends Event> kind, Key key, long fence) {}

    Ears(World world, Node node) {
        this.world = world;
        this.node = node;
    }

    @Override
    public void on(Event event) {
        if (node.isDead()) {
            return;
        }
        world.tally().count("event " + event.getClass().getSimpleName());
        if (event instanceof Event.Executed it) {
            note(it, it.fence());
        } else if (event instanceof Event.Released it) {
            note(it, it.fence());
        } else if (event instanceof Event.LostLease it) {
            note(it, it.fence());
        } else if (event instanceof Event.SettleFailed it) {
            note(it, it.fence());
        } else if (event instanceof Event.Abandoned it) {
            note(it, it.fence());
        } else if (event instanceof Event.Unknown it) {
            note(it, it.fence());
        } else if (event instanceof Event.NotRetained it) {
            note(it, it.fence());
        }
    }

    private void note(Event event, long fence) {
        told.add(new Told(event.getClass(), event.key(), fence));
    }

    @SafeVarargs
    final boolean heard(Grant grant, Class<? extends Event>... kinds) {
        for (Class<? extends Event> kind : kinds) {
            if (told.contains(new Told(kind, grant.life.plan.key(), grant.fence))) {
                return true;
            }
        }
        return false;
    }
}
