// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.api;

import io.semel.Operator;
import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.config.yaml.Quantities;
import io.semel.store.Inspectable;
import io.semel.store.Inspectable.View;
import io.semel.store.Slot;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One page of a bulk settlement: lapsed or unknown keys that are old enough, of all callers or of one.
 *
 * @param scope the scope of the keys; empty for all scopes
 * @param cursor where the page before ended; null for the first
 */
record SweepPage(
        Slot.State state,
        Duration age,
        String scope,
        int limit,
        @Nullable String cursor) {

    /** Each key is noted in the audit trail, on the disk, so that a page stays well below a client's patience. */
    private static final int MOST_AT_ONCE = 500;

    static SweepPage of(ObjectNode body) {
        String view = body.path("view").asString("");
        Slot.State state = switch (view) {
            case "lapsed" -> Slot.State.LAPSED;
            case "unknown" -> Slot.State.UNKNOWN;
            default ->
                throw new IllegalArgumentException("Only lapsed and unknown keys are swept, not '" + view + "'.");
        };
        int limit = body.path("limit").asInt(MOST_AT_ONCE);
        if (limit < 1) {
            throw new IllegalArgumentException("'limit' is at least 1.");
        }
        String cursor = body.path("cursor").asString("");
        return new SweepPage(
                state,
                age(body.path("olderThan").asString("")),
                body.path("scope").asString(""),
                Math.min(limit, MOST_AT_ONCE),
                cursor.isEmpty() ? null : cursor);
    }

    private static Duration age(String text) {
        try {
            return Quantities.of(text);
        } catch (ConfigError e) {
            throw new IllegalArgumentException("Give the minimum age of the keys as 'olderThan'. " + e.getMessage(), e);
        }
    }

    /** Counts them and changes nothing. */
    ObjectNode look(Inspectable store) {
        Inspectable.Page page = store.page(view(), cursor, limit);
        return JsonViews.object()
                .put("found", page.slots().stream().filter(this::takes).count())
                .put("next", page.next());
    }

    ObjectNode act(Operator operator, BiFunction<Operator, Slot, Operator.Result> act) {
        Operator.Swept swept = operator.sweep(view(), this::takes, cursor, limit, slot -> act.apply(operator, slot));
        ObjectNode shown = JsonViews.object()
                .put(
                        "found",
                        swept.results().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum());
        ObjectNode results = shown.putObject("results");
        swept.results().forEach((result, count) -> results.put(result.name().toLowerCase(Locale.ROOT), count));
        return shown.put("next", swept.next());
    }

    private boolean takes(Slot slot) {
        return slot.state() == state
                && slot.age().compareTo(age) >= 0
                && (scope.isEmpty() || slot.key().scope().equals(scope));
    }

    private View view() {
        return state == Slot.State.LAPSED ? View.IN_FLIGHT : View.UNKNOWN;
    }
}
