// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/** Chooses the store: the one that the settings name, or the first that there is. */
final class Backings {

    private final SemelProperties settings;
    private final ListableBeanFactory beans;
    /** What was looked for and not taken, for the log. */
    private final List<String> passed = new ArrayList<>();

    Backings(SemelProperties settings, ListableBeanFactory beans) {
        this.settings = settings;
        this.beans = beans;
    }

    Backing choose() {
        Optional<Store> yours = yours();
        if (yours.isPresent()) {
            return Backing.yours(yours.get());
        }
        checkFront();
        return switch (settings.store()) {
            case AUTO ->
                database()
                        .or(this::redis)
                        .or(this::rocksdb)
                        .orElseGet(() -> memory("there is nothing else (" + String.join("; ", passed) + ")"));
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
            throw new Misuse(
                    "semel.redis.in-front=true puts answers in front of a database, and semel.store=" + kind
                            + " is none.",
                    "Set semel.store to joined or jdbc, or take semel.redis.in-front away.");
        }
    }

    private Optional<Store> yours() {
        ObjectProvider<Store> stores = beans.getBeanProvider(Store.class);
        Store only = stores.getIfUnique();
        if (only != null && isForKeys(only)) {
            return Optional.of(only);
        }
        List<Store> forKeys = stores.stream().filter(Backings::isForKeys).toList();
        return forKeys.size() == 1 ? Optional.of(forKeys.get(0)) : Optional.empty();
    }

    /** A store of sessions is a store too, but knows no keys. */
    private static boolean isForKeys(Store store) {
        return !isPresent("io.semel.session.SessionStore") || !OfSessions.is(store);
    }

    private Backing demanded(Optional<Backing> found, String what) {
        return found.orElseThrow(() -> new Misuse(
                "semel.store=" + settings.store().name().toLowerCase(java.util.Locale.ROOT) + " demands " + what
                        + ", but " + String.join("; ", passed) + ".",
                "Add what is missing, or choose another semel.store."));
    }

    private Optional<Backing> database() {
        if (!isPresent("io.semel.jdbc.JdbcStore")
                || !isPresent("org.springframework.jdbc.datasource.DataSourceUtils")) {
            return passed("semel-jdbc or spring-jdbc is not on the class path");
        }
        Optional<Backing> database = DatabaseBacking.find(settings, beans, passed);
        return settings.redis().inFront() ? database.map(this::behindRedis) : database;
    }

    private Optional<Backing> redis() {
        if (!isPresent("io.semel.redis.RedisStore") || !isPresent("io.lettuce.core.RedisClient")) {
            return passed("semel-redis or Lettuce is not on the class path");
        }
        return RedisBacking.find(settings, beans, passed);
    }

    private Backing behindRedis(Backing database) {
        Optional<Backing> found = isPresent("io.semel.redis.RedisAnswers") && isPresent("io.lettuce.core.RedisClient")
                ? RedisInFront.of(database, settings, beans)
                : Optional.empty();
        return found.orElseThrow(() -> new Misuse(
                "semel.redis.in-front=true, but semel-redis, Lettuce or a single Lettuce client is missing.",
                "Add semel-redis and Boot's Redis starter, or take the property away."));
    }

    private Optional<Backing> rocksdb() {
        if (!isPresent("io.semel.rocksdb.RocksStore")) {
            return passed("semel-rocksdb is not on the class path");
        }
        if (settings.rocksdb().directory() == null) {
            return passed("semel.rocksdb.directory is not set");
        }
        return Optional.of(RocksBacking.open(settings.rocksdb().directory()));
    }

    private Backing memory(String because) {
        DataSize most = settings.memory().maxSize();
        return Backing.of(most == null ? new MemoryStore() : new MemoryStore(most.toBytes()), "memory", because);
    }

    private Optional<Backing> passed(String why) {
        passed.add(why);
        return Optional.empty();
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, Backings.class.getClassLoader());
    }

    /** Apart, because semel-sessions need not be there. */
    private static final class OfSessions {

        static boolean is(Store store) {
            return store instanceof io.semel.session.SessionStore;
        }

        private OfSessions() {}
    }
}
