// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.activity;

import io.semel.Key;
import io.semel.gateway.traffic.CompletedRequest;
import io.semel.gateway.traffic.ObservedRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The last requests of recently used keys; the key unused for longest is dropped first, and of one key its oldest request. */
public final class RecentRequests {

    private static final int MOST_OF_ONE = 20;
    private static final int MOST_PATH = 200;

    private final int mostKeys;
    private final Map<Key, List<Seen>> byKey = new LinkedHashMap<>();

    public RecentRequests(int mostKeys) {
        this.mostKeys = mostKeys;
    }

    public synchronized void add(ObservedRequest request) {
        List<Seen> requests = byKey.remove(request.key());
        if (requests == null) {
            requests = new ArrayList<>(2);
        }
        if (requests.size() == MOST_OF_ONE) {
            requests.remove(0);
        }
        requests.add(Seen.of(request));
        byKey.put(request.key(), requests);
        if (byKey.size() > mostKeys) {
            byKey.remove(byKey.keySet().iterator().next());
        }
    }

    /** Does nothing for a request that was pushed out or never added. */
    public synchronized void end(CompletedRequest end) {
        List<Seen> requests = byKey.getOrDefault(end.key(), List.of());
        for (int i = requests.size() - 1; i >= 0; i--) {
            Seen seen = requests.get(i);
            if (seen.end == null && seen.request.request().equals(end.request())) {
                requests.set(i, new Seen(seen.at, seen.request, end));
                return;
            }
        }
    }

    /** The oldest first. */
    public synchronized List<Seen> of(Key key) {
        return List.copyOf(byKey.getOrDefault(key, List.of()));
    }

    /** The last request of each key, the newest first. */
    private synchronized List<Seen> last(int most) {
        List<Seen> newest = new ArrayList<>();
        byKey.values().forEach(requests -> newest.add(requests.get(requests.size() - 1)));
        Collections.reverse(newest);
        return newest.subList(0, Math.min(most, newest.size()));
    }

    public ObjectNode recent(int most) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        ArrayNode keys = shown.putArray("keys");
        for (Seen seen : last(most)) {
            keys.add(shown(seen)
                    .put("scope", seen.request.key().scope())
                    .put("id", seen.request.key().id()));
        }
        return shown;
    }

    /** Adds method and path of a key's last request, if they are known. */
    public ObjectNode describe(Key key, ObjectNode shown) {
        List<Seen> seen = of(key);
        if (!seen.isEmpty()) {
            ObservedRequest last = seen.get(seen.size() - 1).request;
            shown.put("method", last.method()).put("path", last.path());
        }
        return shown;
    }

    public void tell(Key key, ObjectNode shown) {
        ArrayNode requests = shown.putArray("requests");
        of(key).forEach(seen -> requests.add(shown(seen)));
    }

    private static ObjectNode shown(Seen seen) {
        ObjectNode shown = JsonNodeFactory.instance
                .objectNode()
                .put("at", seen.at.toString())
                .put("method", seen.request.method())
                .put("path", seen.request.path())
                .put("request", seen.request.request())
                .put("trace", seen.request.trace())
                .put("fate", seen.request.fate());
        CompletedRequest end = seen.end;
        return end == null
                ? shown
                : shown.put("status", end.status())
                        .put("outcome", end.outcome())
                        .put("code", end.code());
    }

    /** A request, when its fate was known here, and how it ended, if it has. */
    record Seen(
            Instant at, ObservedRequest request, @Nullable CompletedRequest end) {

        private static Seen of(ObservedRequest request) {
            String path = request.path();
            boolean isLong = path.length() > MOST_PATH;
            return new Seen(
                    Instant.now(),
                    isLong
                            ? new ObservedRequest(
                                    request.key(),
                                    request.method(),
                                    path.substring(0, MOST_PATH) + "…",
                                    request.request(),
                                    request.trace(),
                                    request.fence(),
                                    request.fate())
                            : request,
                    null);
        }
    }
}
