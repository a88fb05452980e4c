// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.activity;

import io.semel.Event;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The requests of a key that this gateway sent to the service, with their fences and ends. */
public final class KeyRuns {

    /** Adds the runs of a key to its description, if there are any; a claim that only found a silent holder is not a run. */
    public static void tell(List<RecentRequests.Seen> requests, List<RecentEvents.Seen> events, ObjectNode shown) {
        List<RecentRequests.Seen> sent =
                requests.stream().filter(seen -> seen.request().fence() != null).toList();
        if (sent.isEmpty()) {
            return;
        }
        ArrayNode runs = shown.putArray("runs");
        sent.forEach(seen -> runs.add(run(seen, events)));
    }

    private static ObjectNode run(RecentRequests.Seen seen, List<RecentEvents.Seen> events) {
        long fence = Optional.ofNullable(seen.request().fence()).orElseThrow();
        ObjectNode run = JsonNodeFactory.instance
                .objectNode()
                .put("at", seen.at().toString())
                .put("fence", fence)
                .put("request", seen.request().request());
        Optional<RecentEvents.Seen> end = events.stream()
                .filter(each -> End.of(each.event()).fence == fence)
                .findFirst();
        run.put("ended", end.map(each -> End.of(each.event()).word).orElse("not yet"));
        end.ifPresent(each -> run.put("endedAt", each.at().toString()));
        return run;
    }

    private record End(long fence, String word) {

        private static final End NONE = new End(-1, "");

        private static End of(Event event) {
            if (event instanceof Event.Executed it) {
                return new End(it.fence(), "executed");
            } else if (event instanceof Event.GivenUp it) {
                return new End(it.fence(), "silent");
            } else if (event instanceof Event.Released it) {
                return new End(it.fence(), "released");
            } else if (event instanceof Event.LostLease it) {
                return new End(it.fence(), "taken over");
            } else if (event instanceof Event.SettleFailed it) {
                return new End(it.fence(), "not confirmed");
            }
            return event instanceof Event.Unknown it ? new End(it.fence(), "held as unknown") : NONE;
        }
    }

    private KeyRuns() {}
}
