// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Engine;
import io.semel.Listener;
import io.semel.Store;
import io.semel.http.HttpSessions;
import io.semel.memory.MemoryStore;
import io.semel.session.MemorySessions;
import io.semel.session.SessionStore;
import java.util.List;
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
    private final @Nullable Purger purger;
    private final List<Listener> listeners;

    private Sessions(
            SessionStore store,
            HttpSessions leased,
            HttpSessions standard,
            String path,
            @Nullable Purger purger,
            List<Listener> listeners) {
        this.store = store;
        this.leased = leased;
        this.standard = standard;
        this.path = path;
        this.purger = purger;
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
        HttpSessions leased = offered(store, store, settings, listeners, path);
        DataSource database = backing.database();
        HttpSessions joined = database != null && backing.joins()
                ? offered(
                        store,
                        new RequestStore(DatabaseBacking.joinedSessions(database, settings.cap())),
                        settings,
                        listeners,
                        path)
                : leased;
        Purger purger = general.purge().enabled() ? new Purger(store, general.purge()) : null;
        return new Sessions(store, leased, joined, path, purger, listeners);
    }

    private static HttpSessions offered(
            SessionStore store, Store asked, SemelSessionsProperties settings, List<Listener> listeners, String path) {
        return HttpSessions.on(store, Engine.on(asked).withListener(event -> listeners.forEach(each -> each.on(event))))
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

    /** From now on it is told what becomes of requests. */
    void tell(Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void start() {
        if (purger != null) {
            purger.start();
        }
    }

    @Override
    public void stop() {
        if (purger != null) {
            purger.stop();
        }
    }

    @Override
    public boolean isRunning() {
        return purger != null && purger.isRunning();
    }

    /** Called by Spring. */
    public void close() throws Exception {
        if (store instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }
}
