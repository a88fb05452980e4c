// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.http;

import io.semel.Engine;
import io.semel.Listener;
import io.semel.http.HttpSessions;
import io.semel.memory.MemoryStore;
import io.semel.session.MemorySessions;
import io.semel.session.SessionStore;
import io.semel.spring.SemelProperties;
import io.semel.spring.SemelSessionsProperties;
import io.semel.spring.internal.setup.InvalidSetup;
import io.semel.spring.internal.store.ApplicationStore;
import io.semel.spring.internal.store.DatabaseStores;
import io.semel.spring.internal.store.EngineSecrets;
import io.semel.spring.internal.store.PurgeLifecycle;
import io.semel.spring.internal.store.RedisStores;
import io.semel.spring.internal.store.RocksStores;
import io.semel.spring.internal.transaction.RequestStore;
import io.semel.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

/** The sessions in which clients number their HTTP requests, in the store of the application; it purges ended ones. */
public final class ApplicationSessions implements SmartLifecycle {

    private final SessionStore store;
    private final HttpSessions leased;
    private final HttpSessions standard;
    private final String path;
    private final int cap;
    private final @Nullable PurgeLifecycle purging;
    private final List<Listener> listeners;

    private ApplicationSessions(
            SessionStore store,
            HttpSessions leased,
            HttpSessions standard,
            String path,
            int cap,
            @Nullable PurgeLifecycle purging,
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
    public static ApplicationSessions open(
            @Nullable ApplicationStore backing,
            SemelProperties general,
            SemelSessionsProperties settings,
            List<Listener> known,
            EngineSecrets secrets,
            ListableBeanFactory beans,
            String contextPath) {
        if (backing == null) {
            throw new InvalidSetup(
                    "semel.sessions.enabled=true, but the application has its own Engine, whose store is unknown.",
                    "Declare the Store as a bean instead, or a filter of your own whose HttpIdempotency has sessions.");
        }
        List<Listener> listeners = new CopyOnWriteArrayList<>(known);
        SessionStore store = store(backing, general, settings.cap(), beans);
        String path = contextPath + "/.semel/sessions";
        HttpSessions leased = offered(store, store, settings, listeners, secrets, path);
        DataSource database = backing.database();
        HttpSessions joined = database != null && backing.joins()
                ? offered(
                        store,
                        new RequestStore(DatabaseStores.joinedSessions(database, settings.cap()), store),
                        settings,
                        listeners,
                        secrets,
                        path)
                : leased;
        PurgeLifecycle purging =
                general.purge().enabled() ? PurgeLifecycle.of("sessions", store, general.purge()) : null;
        return new ApplicationSessions(store, leased, joined, path, settings.cap(), purging, listeners);
    }

    private static HttpSessions offered(
            SessionStore store,
            Store asked,
            SemelSessionsProperties settings,
            List<Listener> listeners,
            EngineSecrets secrets,
            String path) {
        Engine engine = secrets.in(Engine.on(asked));
        return HttpSessions.on(store, engine.withListener(Listener.all(listeners)))
                .lease(settings.lease())
                .window(settings.window())
                .mostOfCaller(settings.capPerCaller())
                .mode(settings.mode())
                .path(path);
    }

    private static SessionStore store(
            ApplicationStore backing, SemelProperties general, int cap, ListableBeanFactory beans) {
        Store keys = backing.store();
        if (backing.database() != null) {
            return DatabaseStores.sessions(general, backing.database(), cap);
        }
        if (keys instanceof MemoryStore) {
            return new MemorySessions(cap);
        }
        SessionStore found = null;
        if (isPresent("io.semel.rocksdb.RocksStore")) {
            found = RocksStores.sessions(keys, cap);
        }
        if (found == null && isPresent("io.semel.redis.RedisStore") && isPresent("io.lettuce.core.RedisClient")) {
            found = RedisStores.sessions(keys, general, beans, cap);
        }
        if (found != null) {
            return found;
        }
        throw new InvalidSetup(
                "semel.sessions.enabled=true, but sessions are not available for " + backing.name() + ".",
                "Let the starter open the store, or declare a filter of your own whose HttpIdempotency has sessions.");
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, ApplicationSessions.class.getClassLoader());
    }

    /** The sessions for requests that run in the transaction of their record, or for others. */
    public HttpSessions of(boolean joined) {
        return joined ? standard : leased;
    }

    /** Whether a request is about a session, and not for a handler. */
    public boolean takes(String uri) {
        return uri.equals(path) || uri.startsWith(path + "/");
    }

    public SessionStore store() {
        return store;
    }

    /** How many may live. */
    public int cap() {
        return cap;
    }

    public Optional<PurgeLifecycle> purging() {
        return Optional.ofNullable(purging);
    }

    /** From now on it is told what becomes of requests. */
    public void tell(Listener listener) {
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
