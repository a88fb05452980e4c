// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.api;

import io.semel.Engine;
import io.semel.Key;
import io.semel.Listener;
import io.semel.Operation;
import io.semel.Operator;
import io.semel.Retention;
import io.semel.gateway.admin.activity.KeyRuns;
import io.semel.gateway.admin.activity.RecentEvents;
import io.semel.gateway.admin.activity.RecentRequests;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.http.Answer;
import io.semel.store.Inspectable;
import io.semel.store.Inspectable.View;
import io.semel.store.Purgeable;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The admin API on a store: lists, shows and settles keys. */
public final class KeyApi implements AdminApi {

    private static final int MOST_AT_ONCE = 1000;
    /** Of the store, for one page of a view that shows some of them only. */
    private static final int MOST_PAGES = 20;

    private static final int MOST_SEARCHED = 200_000;
    private static final String CHANGED = " has changed since you looked; check it again.";

    private final Store store;
    private final Engine engine;
    private final AuditLog audit;
    private final RecentEvents recent;
    private final RecentRequests requests;

    private KeyApi(Store store, Engine engine, AuditLog audit, RecentEvents recent, RecentRequests requests) {
        this.store = store;
        this.engine = engine;
        this.audit = audit;
        this.recent = recent;
        this.requests = requests;
    }

    /**
     * On that store, noting acts in that trail.
     *
     * @param engine on that store, with the seal of its answers
     * @param retention of answers that are given by hand
     */
    public static KeyApi on(Store store, Engine engine, AuditLog audit, Retention retention) {
        RecentEvents recent = new RecentEvents(1);
        return on(store, engine, audit, recent, recent, new RecentRequests(1), retention);
    }

    static KeyApi on(
            Store store,
            Engine engine,
            AuditLog audit,
            Listener listener,
            RecentEvents recent,
            RecentRequests requests,
            Retention retention) {
        Operation operation = Operation.named("operator").retention(retention.retention(), retention.remembrance());
        return new KeyApi(store, engine.with(operation).withListener(listener), audit, recent, requests);
    }

    @Override
    public ApiResponse get(String path, Map<String, String> query) {
        return switch (path) {
            case "/api/keys" -> list(query);
            case "/api/key" -> show(query);
            case "/api/recent" -> ApiResponse.ok(requests.recent(limit(query)));
            case "/api/search" -> search(query.getOrDefault("id", ""));
            case "/api/counts" -> ApiResponse.ok(JsonViews.counts(inspectable().count()));
            case "/api/audit" -> audited();
            case "/api/doctor" -> doctor();
            case "/api/sessions" ->
                ApiResponse.error(404, "Sessions are not enabled; add sessions: to the gateway's settings.");
            default -> ApiResponse.error(404, "Unknown path: " + path + ".");
        };
    }

    @Override
    public ApiResponse post(String path, ObjectNode body) {
        return switch (path) {
            case "/api/resolve" -> resolve(body);
            case "/api/release" -> release(body);
            case "/api/reveal" -> reveal(body);
            case "/api/sweep" -> sweep(body);
            case "/api/purge" -> purge(body);
            default -> ApiResponse.error(404, "Unknown path: " + path + ".");
        };
    }

    private ApiResponse list(Map<String, String> query) {
        String name = query.getOrDefault("view", "oldest");
        View view = switch (name) {
            case "in-flight", "lapsed" -> View.IN_FLIGHT;
            case "unknown" -> View.UNKNOWN;
            case "oldest" -> View.OLDEST;
            default ->
                throw new IllegalArgumentException(
                        "There is no view '" + name + "'; there are in-flight, lapsed, unknown and oldest.");
        };
        ObjectNode shown = JsonViews.object();
        ArrayNode keys = shown.putArray("keys");
        int limit = limit(query);
        String cursor = query.get("cursor");
        for (int pages = 0; pages == 0 || (cursor != null && keys.size() < limit && pages < MOST_PAGES); pages++) {
            Inspectable.Page page = inspectable().page(view, cursor, limit - keys.size());
            page.slots().stream()
                    .filter(slot -> isIn(name, slot))
                    .forEach(slot -> keys.add(requests.describe(slot.key(), JsonViews.slot(slot))));
            cursor = page.next();
        }
        shown.put("next", cursor);
        return ApiResponse.ok(shown);
    }

    /** The store has one view of claimed keys, whether their holders live or not. */
    private static boolean isIn(String view, Slot slot) {
        return switch (view) {
            case "in-flight" -> slot.state() == Slot.State.HELD;
            case "lapsed" -> slot.state() == Slot.State.LAPSED;
            default -> true;
        };
    }

    private static int limit(Map<String, String> query) {
        return Math.min(MOST_AT_ONCE, Integer.parseInt(query.getOrDefault("limit", "100")));
    }

    private ApiResponse show(Map<String, String> query) {
        Key key = Key.of(query.getOrDefault("scope", ""), query.getOrDefault("id", ""));
        Optional<Slot> slot = inspectable().look(key);
        if (slot.isEmpty()) {
            return ApiResponse.error(404, "Key not found: " + key + ".");
        }
        ObjectNode shown = JsonViews.slot(slot.get());
        if (slot.get().state() == Slot.State.UNKNOWN) {
            // Not of others, whose answers would have to be opened for it, perhaps with a key that is not here.
            operator("somebody").whyUnknown(key).ifPresent(why -> shown.put("why", why));
        }
        KeyRuns.tell(requests.of(key), recent.of(key), shown);
        ArrayNode events = shown.putArray("events");
        recent.of(key).forEach(seen -> events.add(JsonViews.event(seen)));
        requests.tell(key, shown);
        ArrayNode acts = shown.putArray("acts");
        audit.acts().on(key).forEach(acts::add);
        return ApiResponse.ok(shown);
    }

    /** By the client's part of the key alone, which is all that a client can tell; looks at every slot, up to a bound. */
    private ApiResponse search(String id) {
        ObjectNode shown = JsonViews.object();
        ArrayNode keys = shown.putArray("keys");
        String cursor = null;
        int seen = 0;
        do {
            Inspectable.Page page = inspectable().page(View.OLDEST, cursor, MOST_AT_ONCE);
            page.slots().stream()
                    .filter(slot -> slot.key().id().equals(id))
                    .forEach(slot -> keys.add(JsonViews.slot(slot)));
            seen += page.slots().size();
            cursor = page.next();
        } while (cursor != null && seen < MOST_SEARCHED);
        shown.put("complete", cursor == null);
        return ApiResponse.ok(shown);
    }

    private ApiResponse resolve(ObjectNode body) {
        ManualAnswer resolving = ManualAnswer.of(body);
        return settle(body, "resolve", resolving::resolve);
    }

    private ApiResponse release(ObjectNode body) {
        return settle(body, "release", Operator::release);
    }

    /** One page; without a verdict nothing is changed. */
    private ApiResponse sweep(ObjectNode body) {
        SweepPage sweeping = SweepPage.of(body);
        String verdict = body.path("verdict").asString("");
        if (verdict.isEmpty()) {
            return ApiResponse.ok(sweeping.look(inspectable()));
        }
        Settling settling = switch (verdict) {
            case "release" -> Operator::release;
            case "resolve" -> ManualAnswer.of(body)::resolveIfPossible;
            default ->
                throw new IllegalArgumentException(
                        "There is no verdict '" + verdict + "'; there are release and resolve.");
        };
        return ApiResponse.ok(sweeping.act(
                operator(AuditLog.operator(body)),
                (operator, slot) -> audit.noting(
                        body,
                        "sweep: " + verdict,
                        slot.key(),
                        () -> settling.settle(operator, slot),
                        Operator.Result::name)));
    }

    private ApiResponse settle(ObjectNode body, String act, Settling settling) {
        Key key = key(body);
        Operator.Result result =
                audit.noting(body, act, key, () -> settled(body, key, settling), Operator.Result::name);
        ObjectNode shown = JsonViews.object().put("result", result.name().toLowerCase(Locale.ROOT));
        return switch (result) {
            case APPLIED -> ApiResponse.ok(shown);
            case NOT_FOUND -> ApiResponse.error(404, "Key not found: " + key + ".");
            case STILL_HELD ->
                ApiResponse.error(409, key + " is in flight; wait until it completes or its lease expires.");
            case SETTLED_BEFORE ->
                ApiResponse.error(
                        409, key + " is settled already; only unknown and lapsed keys can be settled by hand.");
            case CHANGED -> ApiResponse.error(409, key + CHANGED);
            case OTHER_FORM ->
                ApiResponse.error(
                        409,
                        key
                                + " has another form: say it with --form, give an answer of that form, or release the"
                                + " key.");
        };
    }

    private Operator.Result settled(ObjectNode body, Key key, Settling settling) {
        Optional<Slot> slot = inspectable().look(key);
        if (slot.isEmpty()) {
            return Operator.Result.NOT_FOUND;
        }
        return isAsSeen(slot.get(), body)
                ? settling.settle(operator(AuditLog.operator(body)), slot.get())
                : Operator.Result.CHANGED;
    }

    /** An operator who names a fence must not settle a later attempt. */
    private static boolean isAsSeen(Slot slot, ObjectNode body) {
        return !body.has("fence") || body.path("fence").asLong() == slot.fence();
    }

    private ApiResponse reveal(ObjectNode body) {
        Key key = key(body);
        if (body.has("fence") && inspectable().look(key).stream().anyMatch(slot -> !isAsSeen(slot, body))) {
            return ApiResponse.error(409, key + CHANGED);
        }
        Optional<byte[]> answer = audit.noting(
                body,
                "reveal",
                key,
                () -> operator(AuditLog.operator(body)).reveal(key),
                found -> found.isPresent() ? "APPLIED" : "NOT_FOUND");
        return answer.map(
                        bytes -> ApiResponse.ok(JsonViews.answer(Answer.codec().decode(bytes))))
                .orElseGet(() -> ApiResponse.error(404, "No stored answer for " + key + "."));
    }

    private ApiResponse purge(ObjectNode body) {
        if (!(store instanceof Purgeable purgeable)) {
            return ApiResponse.ok(
                    JsonViews.object().put("purged", 0).put("note", "This store expires keys by itself."));
        }
        int limit = body.path("limit").asInt(100_000);
        int purged = audit.noting(body, "purge", null, () -> purgeable.purge(limit), count -> "DROPPED " + count);
        return ApiResponse.ok(JsonViews.object().put("purged", purged));
    }

    private ApiResponse audited() {
        AuditLog.Acts noted = audit.acts();
        ObjectNode shown = JsonViews.object();
        shown.put("file", audit.file().toString());
        shown.put("unreadable", noted.unreadable());
        ArrayNode acts = shown.putArray("acts");
        noted.all().forEach(acts::add);
        return ApiResponse.ok(shown);
    }

    /** How the store is, as an operator would want to know it. */
    private ApiResponse doctor() {
        long start = System.nanoTime();
        Instant storeTime = store.now();
        Duration trip = Duration.ofNanos(System.nanoTime() - start);
        ObjectNode shown = JsonViews.object();
        shown.put("level", store.level().name());
        shown.put("roundTripMicros", trip.toNanos() / 1000);
        shown.put("clockAheadMillis", Duration.between(Instant.now(), storeTime).toMillis());
        shown.set("counts", JsonViews.counts(inspectable().count()));
        return ApiResponse.ok(shown);
    }

    private Operator operator(String name) {
        return engine.operator(name);
    }

    private Inspectable inspectable() {
        if (store instanceof Inspectable inspectable) {
            return inspectable;
        }
        throw new UnsupportedOperationException("This store cannot list its keys.");
    }

    private static Key key(JsonNode body) {
        return Key.of(body.path("scope").asString(""), body.path("id").asString(""));
    }

    private interface Settling {
        Operator.Result settle(Operator operator, Slot slot);
    }
}
