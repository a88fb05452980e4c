// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.actuate;

import io.semel.Engine;
import io.semel.Key;
import io.semel.MalformedKey;
import io.semel.Operator;
import io.semel.store.Inspectable;
import io.semel.store.Slot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** The actuator endpoint {@code semel}: finds keys, shows them without their answers, and resolves or releases them. */
@Endpoint(id = "semel")
public class SemelEndpoint {

    private static final int LIMIT = 100;
    private static final int MOST = 1000;
    private static final List<String> VIEWS = List.of("unknown", "lapsed", "all");

    private final Engine engine;
    private final OperatorResolution resolving;

    public SemelEndpoint(Engine engine, OperatorResolution resolving) {
        this.engine = engine;
        this.resolving = resolving;
    }

    /**
     * Shows one key, by scope and id; null, and so not found, where nothing is known of it. With the id alone, the keys that have
     * it in whatever scope. With neither, a page of those that wait for an operator: unknown ones and lapsed ones.
     *
     * @param view {@code unknown}, {@code lapsed} or {@code all}: pages of one kind, the oldest first
     * @param cursor the {@code next} of the page before
     * @param limit how many keys to look at, 100 where nothing is said
     */
    @ReadOperation
    @SuppressWarnings("deprecation") // Spring Boot 3 knows optional parameters by it.
    public @Nullable Map<String, Object> look(
            @org.springframework.lang.Nullable @Nullable String scope,
            @org.springframework.lang.Nullable @Nullable String id,
            @org.springframework.lang.Nullable @Nullable String view,
            @org.springframework.lang.Nullable @Nullable String cursor,
            @org.springframework.lang.Nullable @Nullable Integer limit) {
        Operator operator = engine.operator("actuator");
        SlotView shown = new SlotView(operator);
        if (scope != null) {
            return operator.look(key(scope, id)).map(shown::one).orElse(null);
        }
        if (id != null) {
            return shown.search(id);
        }
        int most = limit == null ? LIMIT : Math.max(1, Math.min(MOST, limit));
        if (view != null) {
            return page(shown, view, cursor, most);
        }
        Map<String, Object> waiting = new LinkedHashMap<>();
        waiting.put("unknown", page(shown, "unknown", null, most));
        waiting.put("lapsed", page(shown, "lapsed", null, most));
        return waiting;
    }

    private static Map<String, Object> page(SlotView shown, String view, @Nullable String cursor, int limit) {
        return switch (view) {
            case "unknown" -> shown.page(Inspectable.View.UNKNOWN, cursor, limit, slot -> true);
            case "lapsed" ->
                shown.page(Inspectable.View.IN_FLIGHT, cursor, limit, slot -> slot.state() == Slot.State.LAPSED);
            case "all" -> shown.page(Inspectable.View.OLDEST, cursor, limit, slot -> true);
            default ->
                throw EndpointRefusals.refused("There is no view '" + view + "'." + ClosestName.hint(view, VIEWS)
                        + " The views are " + String.join(", ", VIEWS) + ".");
        };
    }

    private static Key key(String scope, @Nullable String id) {
        try {
            return Key.of(scope, id == null ? "" : id);
        } catch (MalformedKey e) {
            throw EndpointRefusals.refused(
                    e.getMessage() + " To find a key whose scope you do not know, give only its id.");
        }
    }

    /**
     * Decides about a call whose outcome is unknown.
     *
     * @param fence the one that was shown, so that a decision about an earlier attempt changes nothing
     * @param verdict {@code resolve} if it happened, with what retries are to get; {@code release} if it did not, so that a retry runs
     * @param answer what retries of a method are to get, as JSON; {@code null} where it returns nothing
     * @param status what retries of an HTTP request are to get
     * @param contentType of the body of that
     * @param body of that, as text
     * @param form {@code json}, {@code utf8}, {@code nothing} or {@code http}: how its service stores answers, where the key is lapsed
     *     and of another service
     */
    @WriteOperation
    @SuppressWarnings("deprecation") // Spring Boot 3 knows optional parameters by it.
    public Map<String, Object> decide(
            String scope,
            String id,
            long fence,
            String verdict,
            @org.springframework.lang.Nullable @Nullable String answer,
            @org.springframework.lang.Nullable @Nullable Integer status,
            @org.springframework.lang.Nullable @Nullable String contentType,
            @org.springframework.lang.Nullable @Nullable String body,
            @org.springframework.lang.Nullable @Nullable String form,
            SecurityContext security) {
        OperatorVerdict said = OperatorVerdict.of(verdict, answer, status, contentType, body, form);
        Operator operator = engine.operator(name(security));
        Optional<Slot> seen = operator.look(key(scope, id));
        if (seen.isEmpty()) {
            return Map.of("result", Operator.Result.NOT_FOUND);
        }
        if (seen.get().fence() != fence) {
            return decided(operator, seen.get().key(), Operator.Result.CHANGED);
        }
        return decided(operator, seen.get().key(), resolving.apply(said, form, operator, seen.get()));
    }

    /** An operator whose verdict changed nothing is shown the current state. */
    private static Map<String, Object> decided(Operator operator, Key key, Operator.Result result) {
        Map<String, Object> decided = new LinkedHashMap<>();
        decided.put("result", result);
        if (result != Operator.Result.APPLIED) {
            operator.look(key).ifPresent(slot -> decided.put("now", new SlotView(operator).one(slot)));
        }
        return decided;
    }

    private static String name(SecurityContext security) {
        var principal = security.getPrincipal();
        return principal == null ? "actuator" : principal.getName();
    }
}
