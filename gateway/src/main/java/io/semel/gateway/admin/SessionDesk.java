// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

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

/** A desk that also tells of sessions: of those that live what the store has, and of all what this process saw. */
public final class SessionDesk implements Desk {

    private static final int MOST = 1000;

    private final Desk others;
    private final Supplier<SessionStore> sessions;
    private final String anonymous;
    private final Recent recent;

    /**
     * Beside a desk for everything else.
     *
     * @param anonymous the scope of those who show no credential, where a session is looked for if nobody says whose it is
     */
    public SessionDesk(Desk others, Supplier<SessionStore> sessions, String anonymous) {
        this(others, sessions, anonymous, new Recent(1));
    }

    SessionDesk(Desk others, Supplier<SessionStore> sessions, String anonymous, Recent recent) {
        this.others = others;
        this.sessions = sessions;
        this.anonymous = anonymous;
        this.recent = recent;
    }

    @Override
    public Reply get(String path, Map<String, String> query) {
        return path.equals("/api/sessions") ? sessions(query.get("scope"), query.get("id")) : others.get(path, query);
    }

    @Override
    public Reply post(String path, ObjectNode body) {
        return others.post(path, body);
    }

    private Reply sessions(@Nullable String scope, @Nullable String id) {
        ObjectNode shown = Shown.object();
        ArrayNode all = shown.putArray("sessions");
        if (id != null) {
            Set<String> scopes = scope == null ? scopes(id) : Set.of(scope);
            scopes.forEach(each -> find(new SessionKey(each, id)).ifPresent(all::add));
        } else if (scope != null) {
            inspectable().list(scope, MOST).forEach(each -> all.add(Shown.session(each)));
        } else {
            throw new IllegalArgumentException("Say which: the id of a session, the scope of a caller, or both.");
        }
        return Reply.ok(shown);
    }

    /** Those from which somebody used a session with that id, as far as this process saw, and those who have no name. */
    private Set<String> scopes(String id) {
        Set<String> scopes = new TreeSet<>(Set.of(anonymous));
        recent.under(id).forEach(seen -> scopes.add(seen.event().key().scope()));
        return scopes;
    }

    /** Also one that has ended, or never was, if somebody used it: that it was refused is what there is to tell. */
    private Optional<ObjectNode> find(SessionKey key) {
        Optional<SessionView> view = inspectable().look(key);
        List<Recent.Seen> seen = recent.under(key.id()).stream()
                .filter(each -> each.event().key().scope().equals(key.scope()))
                .toList();
        if (view.isEmpty() && seen.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode shown = view.map(Shown::session).orElseGet(() -> Shown.noSession(key));
        ArrayNode events = shown.putArray("events");
        seen.forEach(each -> events.add(Shown.event(each).put("number", number(each))));
        return Optional.of(shown);
    }

    private static String number(Recent.Seen seen) {
        return Long.toString(RequestKey.of(seen.event().key()).number());
    }

    private InspectableSessions inspectable() {
        if (sessions.get() instanceof InspectableSessions inspectable) {
            return inspectable;
        }
        throw new UnsupportedOperationException("This store cannot show its sessions.");
    }
}
