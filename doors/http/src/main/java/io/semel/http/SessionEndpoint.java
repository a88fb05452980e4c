// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.semel.Call;
import io.semel.MalformedKey;
import io.semel.StoreException;
import io.semel.http.internal.field.MalformedField;
import io.semel.http.internal.field.SessionFields;
import io.semel.http.internal.text.Ascii;
import io.semel.session.RequestKey;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore.Registration;
import io.semel.session.SessionStore.State;
import java.util.List;

/** The endpoint at which clients register sessions, keep them alive and close them. */
final class SessionEndpoint {

    private static final int METHOD_NOT_ALLOWED = 405;

    private final HttpSessions sessions;
    private final HttpRules rules;
    private final Problems problems;

    SessionEndpoint(HttpSessions sessions, HttpRules rules) {
        this.sessions = sessions;
        this.rules = rules;
        this.problems = new Problems(rules);
    }

    /** Whether the request is for here; one that asks for options is left to whoever knows about other origins. */
    boolean takes(Request request) {
        String path = request.path();
        return path.startsWith(sessions.path())
                && (path.length() == sessions.path().length()
                        || path.charAt(sessions.path().length()) == '/')
                && !request.method().equals("OPTIONS");
    }

    /** Whether the session lives that a request is numbered in, now that its client is heard of. */
    boolean hears(Request request, Call call) {
        try {
            long first = SessionFields.of(request).firstOutstanding();
            return sessions.store().keepAlive(RequestKey.of(call.key()).session(), first) == State.LIVE;
        } catch (MalformedField e) {
            throw new IllegalStateException("Its fields were read before.", e);
        }
    }

    RequestDecision enter(Request request) {
        boolean one = request.path().length() > sessions.path().length();
        try {
            return switch (request.method()) {
                case "POST" -> one ? notAllowed("PUT, DELETE") : register(request);
                case "PUT" -> one ? keepAlive(request) : notAllowed("POST");
                case "DELETE" -> one ? close(request) : notAllowed("POST");
                default -> notAllowed(one ? "PUT, DELETE" : "POST");
            };
        } catch (MalformedField fault) {
            return refuse(
                    problems.of(Problem.Type.MALFORMED_SESSION, fault.field().detail()));
        } catch (MalformedKey e) {
            return refuse(problems.sessionUnknown());
        } catch (StoreException e) {
            return new RequestDecision.Refuse(problems.storeUnavailable(), e);
        }
    }

    private RequestDecision register(Request request) {
        Session session = sessions.session(request.caller().scope(rules.namespace));
        Registration registration = sessions.store().register(session, sessions.mostOfCaller());
        if (registration != Registration.LIVE) {
            boolean own = registration == Registration.SCOPE_FULL;
            return refuse(own ? problems.tooManySessions() : problems.sessionsFull());
        }
        String id = session.key().id();
        String json = "{\"id\":\"" + id + "\",\"leaseMillis\":"
                + session.lease().toMillis() + ",\"window\":" + session.window() + ",\"mode\":\""
                + Ascii.lower(session.mode().name()) + "\"}";
        return answer(json(201, json).with("Location", sessions.path() + "/" + id));
    }

    private RequestDecision keepAlive(Request request) throws MalformedField {
        SessionKey key = key(request);
        List<String> lines = request.headers(HeaderNames.FIRST_OUTSTANDING);
        long first = lines.isEmpty() ? 1 : SessionFields.number(HeaderNames.FIRST_OUTSTANDING, lines);
        State state = sessions.store().keepAlive(key, first);
        return switch (state) {
            case LIVE -> answer(json(200, "{\"id\":\"" + key.id() + "\",\"leaseMillis\":" + lease(key) + "}"));
            case EXPIRED -> refuse(problems.sessionExpired());
            case UNKNOWN -> refuse(problems.sessionUnknown());
        };
    }

    private RequestDecision close(Request request) {
        boolean closed = sessions.store().close(key(request));
        return closed ? answer(Answer.of(204, new byte[0])) : refuse(problems.sessionUnknown());
    }

    private SessionKey key(Request request) {
        String id = request.path().substring(sessions.path().length() + 1);
        return new SessionKey(request.caller().scope(rules.namespace), id);
    }

    /** As it was registered, whatever the settings are now. */
    private static String lease(SessionKey key) {
        return key.id().substring(key.id().lastIndexOf('-') + 1);
    }

    private static RequestDecision notAllowed(String methods) {
        return answer(Answer.of(METHOD_NOT_ALLOWED, new byte[0]).with("Allow", methods));
    }

    private static Answer json(int status, String json) {
        return Answer.of(status, json.getBytes(US_ASCII))
                .with("Content-Type", "application/json")
                .with("Cache-Control", "no-store");
    }

    private static RequestDecision answer(Answer answer) {
        return new RequestDecision.Replay(answer);
    }

    private static RequestDecision refuse(Problem problem) {
        return new RequestDecision.Refuse(problem, null);
    }
}
