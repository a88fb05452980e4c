// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.api;

import io.semel.gateway.admin.activity.RecentEvents;
import io.semel.session.InspectableSessions;
import io.semel.session.RequestKey;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.session.SessionView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Adds sessions to the admin API: the store's view of live ones, and this process's events of all. */
public final class SessionApi implements AdminApi {

    private static final int MOST = 1000;

    private final AdminApi others;
    private final Supplier<SessionStore> sessions;
    private final String anonymous;
    private final RecentEvents recent;

    /**
     * Beside a desk for everything else.
     *
     * @param anonymous the scope of callers without a credential, searched if no scope is given
     */
    public SessionApi(AdminApi others, Supplier<SessionStore> sessions, String anonymous) {
        this(others, sessions, anonymous, new RecentEvents(1));
    }

    SessionApi(AdminApi others, Supplier<SessionStore> sessions, String anonymous, RecentEvents recent) {
        this.others = others;
        this.sessions = sessions;
        this.anonymous = anonymous;
        this.recent = recent;
    }

    @Override
    public ApiResponse get(String path, Map<String, String> query) {
        return path.equals("/api/sessions") ? sessions(query.get("scope"), query.get("id")) : others.get(path, query);
    }

    @Override
    public ApiResponse post(String path, ObjectNode body) {
        return others.post(path, body);
    }

    private ApiResponse sessions(@Nullable String scope, @Nullable String id) {
        ObjectNode shown = JsonViews.object();
        ArrayNode all = shown.putArray("sessions");
        if (id != null) {
            Set<String> scopes = scope == null ? scopes(id) : Set.of(scope);
            scopes.forEach(each -> find(new SessionKey(each, id)).ifPresent(all::add));
        } else if (scope != null) {
            inspectable().list(scope, MOST).forEach(each -> all.add(JsonViews.session(each)));
        } else {
            throw new IllegalArgumentException("Give the id of a session, the scope of a caller, or both.");
        }
        return ApiResponse.ok(shown);
    }

    /** The scopes that used a session with that id in this process, and the anonymous scope. */
    private Set<String> scopes(String id) {
        Set<String> scopes = new TreeSet<>(Set.of(anonymous));
        recent.under(id).forEach(seen -> scopes.add(seen.event().key().scope()));
        return scopes;
    }

    /** Includes a session that has ended, or never existed, if it was used: the refusals are worth showing. */
    private Optional<ObjectNode> find(SessionKey key) {
        Optional<SessionView> view = inspectable().look(key);
        List<RecentEvents.Seen> seen = recent.under(key.id()).stream()
                .filter(each -> each.event().key().scope().equals(key.scope()))
                .toList();
        if (view.isEmpty() && seen.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode shown = view.map(JsonViews::session).orElseGet(() -> JsonViews.noSession(key));
        ArrayNode events = shown.putArray("events");
        seen.forEach(each -> events.add(JsonViews.event(each).put("number", number(each))));
        return Optional.of(shown);
    }

    private static String number(RecentEvents.Seen seen) {
        return Long.toString(RequestKey.of(seen.event().key()).number());
    }

    private InspectableSessions inspectable() {
        if (sessions.get() instanceof InspectableSessions inspectable) {
            return inspectable;
        }
        throw new UnsupportedOperationException("This store cannot list its sessions.");
    }
}
