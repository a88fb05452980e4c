// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.netty.channel.Channel;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The memory that the connections of one admin port hold, for its event loop alone; the slowest connection is evicted first. */
final class AdminBudget {

    /** Connections whose turn it is: to send a request, or to read their answer. */
    static final int MOST_WAITING = 1000;

    static final long MOST_BYTES = 8 << 20;

    private final Set<Channel> waiting = new LinkedHashSet<>();
    private final Map<Channel, Long> bytes = new HashMap<>();
    private long held;

    /** It is the client's turn from now on. */
    void waitFor(Channel client) {
        waiting.remove(client);
        waiting.add(client);
        if (waiting.size() > MOST_WAITING) {
            evict(waiting.iterator().next());
        }
    }

    void waitNoMore(Channel client) {
        waiting.remove(client);
    }

    /** Holds more bytes for a client; false if there is no room even after slower clients were evicted. */
    boolean hold(Channel client, long more) {
        for (Channel each : List.copyOf(waiting)) {
            if (isFull(more) && !each.equals(client) && bytes.containsKey(each)) {
                evict(each);
            }
        }
        if (isFull(more)) {
            return false;
        }
        bytes.merge(client, more, Long::sum);
        held += more;
        return true;
    }

    /** A single response always has room if nothing else is held. */
    private boolean isFull(long more) {
        return held > 0 && held + more > MOST_BYTES;
    }

    private void evict(Channel client) {
        leave(client);
        client.close();
    }

    /** Nothing is held for a client any more. */
    void give(Channel client) {
        Long given = bytes.remove(client);
        held -= given == null ? 0 : given;
    }

    void leave(Channel client) {
        waiting.remove(client);
        give(client);
    }
}
