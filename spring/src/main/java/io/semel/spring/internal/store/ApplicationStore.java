// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.store;

import io.semel.Level;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Store;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The store of the application.
 *
 * @param leased beside a store that joins the caller's transaction, one on the same table that does not
 * @param database the one that the leased store takes connections from, if any
 * @param name what the store is, for the log
 * @param because why it was chosen, for the log
 * @param own whether it was opened here and is closed here
 * @param front where answers are kept in front of it, to be closed with it, if anywhere
 */
public record ApplicationStore(
        Store store,
        @Nullable Store leased,
        @Nullable DataSource database,
        String name,
        String because,
        boolean own,
        @Nullable AutoCloseable front) {

    public static ApplicationStore of(Store store, String name, String because) {
        return new ApplicationStore(store, null, null, name, because, true, null);
    }

    static ApplicationStore yours(Store store) {
        return new ApplicationStore(
                store, null, null, store.getClass().getSimpleName(), "the application has a Store bean", false, null);
    }

    /** Whether each call needs a transaction around it. */
    public boolean joins() {
        return store.level() == Level.JOINED && !store.commits();
    }

    /** The store for operators and for purging, of which a store that joins transactions can do neither. */
    public Store shown() {
        return store instanceof Inspectable || leased == null ? store : leased;
    }

    /** What health shows of it, once it has answered. */
    public Map<String, Object> checkedDetails() {
        shown().now();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("store", name);
        details.put("level", store.level());
        return details;
    }

    public Optional<Purgeable> purgeable() {
        return shown() instanceof Purgeable purgeable ? Optional.of(purgeable) : Optional.empty();
    }

    public String describe() {
        return "Semel stores its records in " + name + ", because " + because + ". Level " + store.level() + ": "
                + meaning(store.level())
                + (leased == null
                        ? ""
                        : " Methods that demand LEASED use the same table, outside of their transaction.");
    }

    private static String meaning(Level level) {
        return switch (level) {
            case JOINED -> "effect and answer commit in one transaction; a crash rolls both back.";
            case LEASED -> "recorded calls survive a crash; abandoned calls follow their policy.";
            case BEST_EFFORT -> "records may be lost; without its record, a retry is executed again.";
        };
    }

    /** Called by Spring. */
    public void close() throws Exception {
        if (front != null) {
            front.close();
        }
        if (own && store instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }
}
