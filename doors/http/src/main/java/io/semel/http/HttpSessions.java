// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Engine;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import java.time.Duration;

/**
 * The sessions that a service offers: their store, and the terms on which clients get them; immutable, each method gives a
 * changed copy. What is said over HTTP is in {@code docs/sessions.md}.
 */
public final class HttpSessions {

    private static final Session TERMS = Session.of("terms");

    private final SessionStore store;
    private final Engine engine;
    private final Session terms;
    private final int mostOfCaller;
    private final String path;

    private HttpSessions(SessionStore store, Engine engine, Session terms, int mostOfCaller, String path) {
        this.store = store;
        this.engine = engine;
        this.terms = terms;
        this.mostOfCaller = mostOfCaller;
        this.path = path;
    }

    /** Sessions in this store, by its standard terms: numbers in any order, 64 at once, a lease of a minute. */
    public static HttpSessions on(SessionStore store) {
        return on(store, Engine.on(store));
    }

    /**
     * The same, with an engine that has a listener, a seal, or a store of the same sessions that is joined to a transaction.
     * Its operation is replaced by that of the door.
     */
    public static HttpSessions on(SessionStore store, Engine engine) {
        return new HttpSessions(store, engine, TERMS, Integer.MAX_VALUE, "/.semel/sessions");
    }

    /** Whether numbers may overtake each other. */
    public HttpSessions mode(Session.Mode mode) {
        return new HttpSessions(store, engine, terms.mode(mode), mostOfCaller, path);
    }

    /** The most numbers of a client that may be in use at once. */
    public HttpSessions window(int numbers) {
        return new HttpSessions(store, engine, terms.window(numbers), mostOfCaller, path);
    }

    /** The time after which a silent client's session expires. */
    public HttpSessions lease(Duration span) {
        return new HttpSessions(store, engine, terms.lease(span), mostOfCaller, path);
    }

    /**
     * The most sessions of one caller at once, so that none can take all that the store may hold; as many as there may be at
     * all, unless this is said.
     */
    public HttpSessions mostOfCaller(int sessions) {
        if (sessions < 1) {
            throw new IllegalArgumentException("A caller may have at least one session, not " + sessions + ".");
        }
        return new HttpSessions(store, engine, terms, sessions, path);
    }

    /** The path at which clients register, with the context path if there is one. */
    public HttpSessions path(String other) {
        if (!other.startsWith("/") || other.endsWith("/")) {
            throw new IllegalArgumentException(
                    "The path of sessions begins with a slash and ends with none, unlike '" + other + "'.");
        }
        return new HttpSessions(store, engine, terms, mostOfCaller, other);
    }

    SessionStore store() {
        return store;
    }

    Engine engine() {
        return engine;
    }

    int mostOfCaller() {
        return mostOfCaller;
    }

    String path() {
        return path;
    }

    /** A new session; its lease is part of its id, so that a server with other settings can still say it. */
    Session session(String scope) {
        String id = SessionKey.random(scope).id() + "-" + terms.lease().toMillis();
        return new Session(new SessionKey(scope, id), terms.mode(), terms.window(), terms.lease());
    }
}
