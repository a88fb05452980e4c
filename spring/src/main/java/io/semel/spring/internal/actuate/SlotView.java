// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.actuate;

import io.semel.Key;
import io.semel.Operator;
import io.semel.Retention;
import io.semel.store.Inspectable;
import io.semel.store.Slot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The view of slots for operators, without their answers. */
record SlotView(Operator operator) {

    /** The most slots of a view that are looked through for an id. */
    private static final int MOST_SEARCHED = 10_000;

    private static final int PAGE = 500;
    private static final int MOST_FOUND = 100;

    Map<String, Object> one(Slot slot) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("scope", slot.key().scope());
        shown.put("id", slot.key().id());
        shown.put("state", slot.state());
        shown.put("fence", slot.fence());
        shown.put("attempts", slot.attempts());
        shown.put("age", slot.age().toString());
        shown.put("remaining", remaining(slot.remaining()));
        byte[] result = slot.result();
        if (result != null) {
            shown.put("bytes", result.length);
        }
        operator.whyUnknown(slot.key()).ifPresent(why -> shown.put("unknownBecause", why));
        return shown;
    }

    private static String remaining(Duration span) {
        return span.compareTo(Retention.LONGEST) > 0 ? "never ends" : span.toString();
    }

    Map<String, Object> page(Inspectable.View view, @Nullable String cursor, int limit, Predicate<Slot> which) {
        Inspectable.Page page = operator.page(view, cursor, limit);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("keys", page.slots().stream().filter(which).map(this::one).toList());
        if (page.next() != null) {
            shown.put("next", page.next());
        }
        return shown;
    }

    /** Keys with this id, in whatever scope; those first that wait for an operator. */
    Map<String, Object> search(String id) {
        Map<Key, Slot> found = new LinkedHashMap<>();
        boolean all = true;
        for (Inspectable.View view :
                List.of(Inspectable.View.UNKNOWN, Inspectable.View.IN_FLIGHT, Inspectable.View.OLDEST)) {
            all = search(view, id, found);
        }
        List<Map<String, Object>> keys =
                new ArrayList<>(found.values().stream().map(this::one).toList());
        return Map.of("keys", keys, "searchedAll", all);
    }

    private boolean search(Inspectable.View view, String id, Map<Key, Slot> found) {
        String cursor = null;
        for (int searched = 0; searched < MOST_SEARCHED && found.size() < MOST_FOUND; searched += PAGE) {
            Inspectable.Page page = operator.page(view, cursor, PAGE);
            page.slots().stream()
                    .filter(slot -> slot.key().id().equals(id))
                    .forEach(slot -> found.put(slot.key(), slot));
            cursor = page.next();
            if (cursor == null) {
                return true;
            }
        }
        return false;
    }
}
