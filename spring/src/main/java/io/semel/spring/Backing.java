// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Level;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Store;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The store of this application.
 *
 * @param leased beside a store that joins the caller's transaction, one on the same table that does not
 * @param database the one that the leased store takes connections from, if any
 * @param name what the store is, for the log
 * @param because why it was chosen, for the log
 * @param own whether it was opened here and is closed here
 * @param front where answers are kept in front of it, to be closed with it, if anywhere
 */
record Backing(
        Store store,
        @Nullable Store leased,
        @Nullable DataSource database,
        String name,
        String because,
        boolean own,
        @Nullable AutoCloseable front) {

    static Backing of(Store store, String name, String because) {
        return new Backing(store, null, null, name, because, true, null);
    }

    static Backing yours(Store store) {
        return new Backing(
                store, null, null, store.getClass().getSimpleName(), "the application has a Store bean", false, null);
    }

    /** Whether somebody has to begin and commit a transaction around each call. */
    boolean joins() {
        return store.level() == Level.JOINED && !store.commits();
    }

    /** The one that operators look into, and that purges: one that joins transactions can do neither. */
    Store shown() {
        return store instanceof Inspectable || leased == null ? store : leased;
    }

    Optional<Purgeable> purgeable() {
        return shown() instanceof Purgeable purgeable ? Optional.of(purgeable) : Optional.empty();
    }

    String says() {
        return "Semel keeps its records in " + name + ", because " + because + ". Level " + store.level() + ": "
                + meaning(store.level())
                + (leased == null ? "" : " Methods that demand LEASED use the same table without the transaction.");
    }

    private static String meaning(Level level) {
        return switch (level) {
            case JOINED -> "effect and answer commit in one transaction; a crash rolls both back.";
            case LEASED ->
                "what is recorded survives a crash; a call that falls silent meets its policy for abandoned calls.";
            case BEST_EFFORT -> "records may be lost, and a lost record means that a retry runs again.";
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
