// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.history;

import io.semel.testkit.history.HistoryChecker.Event;
import java.util.ArrayList;
import java.util.List;

/** What {@link HistoryChecker} decides, decided without any cleverness. */
final class EveryOrder {

    static boolean isLawful(List<Event> history) {
        return tryAll(new ArrayList<>(), new ArrayList<>(history));
    }

    private static boolean tryAll(List<Event> order, List<Event> rest) {
        boolean complete = rest.stream().allMatch(event -> event.operation().isUnanswered());
        if (complete && isInTime(order) && explains(order)) {
            return true;
        }
        for (Event event : rest) {
            List<Event> longer = new ArrayList<>(order);
            longer.add(event);
            List<Event> shorter = new ArrayList<>(rest);
            shorter.remove(event);
            if (tryAll(longer, shorter)) {
                return true;
            }
        }
        return false;
    }

    /** Nothing stands behind what began only after it had ended. */
    private static boolean isInTime(List<Event> order) {
        for (int i = 0; i < order.size(); i++) {
            for (Event later : order.subList(i + 1, order.size())) {
                if (later.ended() < order.get(i).began()) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean explains(List<Event> order) {
        List<SlotModel> states = List.of(SlotModel.free());
        for (Event event : order) {
            states = states.stream()
                    .flatMap(state -> state.after(event.operation()).stream())
                    .toList();
        }
        return !states.isEmpty();
    }

    private EveryOrder() {}
}
