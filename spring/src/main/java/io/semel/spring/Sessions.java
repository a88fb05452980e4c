// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Engine;
import io.semel.Listener;
import io.semel.http.HttpSessions;
import io.semel.memory.MemoryStore;
import io.semel.session.MemorySessions;
import io.semel.session.SessionStore;
import io.semel.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

/** The sessions in which HTTP requests may be numbered, in the store of this application; drops those that ended. */
final class Sessions implements SmartLifecycle {

    private final SessionStore store;
    private final HttpSessions leased;
    private final HttpSessions standard;
    private final String path;
    private final int cap;
    private final @Nullable Purging purging;
    private final List<Listener> listeners;

    private Sessions(
            SessionStore store,
            HttpSessions leased,
            HttpSessions standard,
            String path,
            int cap,
            @Nullable Purging purging,
            List<Listener> listeners) {
        this.store = store;
        this.leased = leased;
        this.standard = standard;
        this.path = path;
        this.cap = cap;
        this.purging = purging;
        this.listeners = listeners;
    }

    /**
     * Opens them.
     *
     * @param backing null where the application has its own engine
     */
    static Sessions open(
            @Nullable Backing backing,
            SemelProperties general,
            SemelSessionsProperties settings,
            List<Listener> known,
            Secrets secrets,
            ListableBeanFactory beans,
            String contextPath) {
        if (backing == null) {
            throw new Misuse(
                    "semel.sessions.enabled=true, but the application has its own Engine, which does not say where.",
                    "Declare the Store as a bean in its place, or a filter of your own whose HttpDoor has sessions.");
        }
        List<Listener> listeners = new CopyOnWriteArrayList<>(known);
        SessionStore store = store(backing, general, settings.cap(), beans);
        String path = contextPath + "/.semel/sessions";
        HttpSessions leased = offered(store, store, settings, listeners, secrets, path);
        DataSource database = backing.database();
        HttpSessions joined = database != null && backing.joins()
                ? offered(
                        store,
                        new RequestStore(DatabaseBacking.joinedSessions(database, settings.cap()), store),
                        settings,
                        listeners,
                        secrets,
                        path)
                : leased;
        Purging purging = general.purge().enabled() ? Purging.of("sessions", store, general.purge()) : null;
        return new Sessions(store, leased, joined, path, settings.cap(), purging, listeners);
    }

    private static HttpSessions offered(
            SessionStore store,
            Store asked,
            SemelSessionsProperties settings,
            List<Listener> listeners,
            Secrets secrets,
            String path) {
        Engine engine = secrets.in(Engine.on(asked));
        return HttpSessions.on(store, engine.withListener(Listener.all(listeners)))
                .lease(settings.lease())
                .window(settings.window())
                .mostOfCaller(settings.capPerCaller())
                .mode(settings.mode())
                .path(path);
    }

    private static SessionStore store(Backing backing, SemelProperties general, int cap, ListableBeanFactory beans) {
        Store keys = backing.store();
        if (backing.database() != null) {
            return DatabaseBacking.sessions(general, backing.database(), cap);
        }
        if (keys instanceof MemoryStore) {
            return new MemorySessions(cap);
        }
        SessionStore found = null;
        if (isPresent("io.semel.rocksdb.RocksStore")) {
            found = RocksBacking.sessions(keys, cap);
        }
        if (found == null && isPresent("io.semel.redis.RedisStore") && isPresent("io.lettuce.core.RedisClient")) {
            found = RedisBacking.sessions(keys, general, beans, cap);
        }
        if (found != null) {
            return found;
        }
        throw new Misuse(
                "semel.sessions.enabled=true, but there are no sessions for " + backing.name() + ".",
                "Let the starter open the store, or declare a filter of your own whose HttpDoor has sessions.");
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, Sessions.class.getClassLoader());
    }

    /** @param joined whether the request runs in the transaction that its record is part of */
    HttpSessions of(boolean joined) {
        return joined ? standard : leased;
    }

    /** Whether a request is about a session, and not for a handler. */
    boolean takes(String uri) {
        return uri.equals(path) || uri.startsWith(path + "/");
    }

    SessionStore store() {
        return store;
    }

    /** How many may live. */
    int cap() {
        return cap;
    }

    Optional<Purging> purging() {
        return Optional.ofNullable(purging);
    }

    /** From now on it is told what becomes of requests. */
    void tell(Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void start() {
        if (purging != null) {
            purging.start();
        }
    }

    @Override
    public void stop() {
        if (purging != null) {
            purging.stop();
        }
    }

    @Override
    public boolean isRunning() {
        return purging != null && purging.isRunning();
    }

    /** Called by Spring. */
    public void close() throws Exception {
        if (store instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }
}
