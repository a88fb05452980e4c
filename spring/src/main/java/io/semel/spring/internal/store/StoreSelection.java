// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.store;

import io.semel.memory.MemoryStore;
import io.semel.spring.SemelProperties;
import io.semel.spring.internal.setup.InvalidSetup;
import io.semel.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/** The selection of the store: the one that the settings name, or the first available one. */
public final class StoreSelection {

    private final SemelProperties settings;
    private final ListableBeanFactory beans;
    /** Why other stores were passed over, for the log. */
    private final List<String> passed = new ArrayList<>();

    public StoreSelection(SemelProperties settings, ListableBeanFactory beans) {
        this.settings = settings;
        this.beans = beans;
    }

    public ApplicationStore choose() {
        Optional<Store> yours = yours();
        if (yours.isPresent()) {
            return ApplicationStore.yours(yours.get());
        }
        checkFront();
        return switch (settings.store()) {
            case AUTO ->
                database()
                        .or(this::redis)
                        .or(this::rocksdb)
                        .orElseGet(() -> memory("no other store is available (" + String.join("; ", passed) + ")"));
            case JOINED -> demanded(database(), "a database with a transaction manager");
            case JDBC -> demanded(database(), "a database");
            case REDIS -> demanded(redis(), "Redis");
            case ROCKSDB -> demanded(rocksdb(), "RocksDB");
            case MEMORY -> memory("semel.store=memory");
        };
    }

    private void checkFront() {
        SemelProperties.Kind kind = settings.store();
        boolean database = kind == SemelProperties.Kind.AUTO
                || kind == SemelProperties.Kind.JDBC
                || kind == SemelProperties.Kind.JOINED;
        if (settings.redis().inFront() && !database) {
            throw new InvalidSetup(
                    "semel.redis.in-front=true caches answers in front of a database, but semel.store=" + kind
                            + " is not a database.",
                    "Set semel.store to joined or jdbc, or remove semel.redis.in-front.");
        }
    }

    private Optional<Store> yours() {
        ObjectProvider<Store> stores = beans.getBeanProvider(Store.class);
        Store only = stores.getIfUnique();
        if (only != null && isForKeys(only)) {
            return Optional.of(only);
        }
        List<Store> forKeys = stores.stream().filter(StoreSelection::isForKeys).toList();
        return forKeys.size() == 1 ? Optional.of(forKeys.get(0)) : Optional.empty();
    }

    /** A store of sessions is a store too, but knows no keys. */
    private static boolean isForKeys(Store store) {
        return !isPresent("io.semel.session.SessionStore") || !OfSessions.is(store);
    }

    private ApplicationStore demanded(Optional<ApplicationStore> found, String what) {
        return found.orElseThrow(() -> new InvalidSetup(
                "semel.store=" + settings.store().name().toLowerCase(java.util.Locale.ROOT) + " requires " + what
                        + ", but " + String.join("; ", passed) + ".",
                "Add what is missing, or choose another semel.store."));
    }

    private Optional<ApplicationStore> database() {
        if (!isPresent("io.semel.jdbc.JdbcStore")
                || !isPresent("org.springframework.jdbc.datasource.DataSourceUtils")) {
            return passed("semel-jdbc or spring-jdbc is not on the class path");
        }
        Optional<ApplicationStore> database = DatabaseStores.find(settings, beans, passed);
        return settings.redis().inFront() ? database.map(this::behindRedis) : database;
    }

    private Optional<ApplicationStore> redis() {
        if (!isPresent("io.semel.redis.RedisStore") || !isPresent("io.lettuce.core.RedisClient")) {
            return passed("semel-redis or Lettuce is not on the class path");
        }
        return RedisStores.find(settings, beans, passed);
    }

    private ApplicationStore behindRedis(ApplicationStore database) {
        Optional<ApplicationStore> found =
                isPresent("io.semel.redis.RedisAnswers") && isPresent("io.lettuce.core.RedisClient")
                        ? RedisInFront.of(database, settings, beans)
                        : Optional.empty();
        return found.orElseThrow(() -> new InvalidSetup(
                "semel.redis.in-front=true, but semel-redis, Lettuce or a single Lettuce client is missing.",
                "Add semel-redis and Boot's Redis starter, or remove the property."));
    }

    private Optional<ApplicationStore> rocksdb() {
        if (!isPresent("io.semel.rocksdb.RocksStore")) {
            return passed("semel-rocksdb is not on the class path");
        }
        if (settings.rocksdb().directory() == null) {
            return passed("semel.rocksdb.directory is not set");
        }
        return Optional.of(RocksStores.open(settings.rocksdb().directory()));
    }

    private ApplicationStore memory(String because) {
        DataSize most = settings.memory().maxSize();
        return ApplicationStore.of(
                most == null ? new MemoryStore() : new MemoryStore(most.toBytes()), "memory", because);
    }

    private Optional<ApplicationStore> passed(String why) {
        passed.add(why);
        return Optional.empty();
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, StoreSelection.class.getClassLoader());
    }

    /** Apart, because semel-sessions need not be there. */
    private static final class OfSessions {

        static boolean is(Store store) {
            return store instanceof io.semel.session.SessionStore;
        }

        private OfSessions() {}
    }
}
