// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.store;

import io.semel.Engine;
import io.semel.Level;
import io.semel.Listener;
import io.semel.Operation;
import io.semel.spring.internal.setup.InvalidSetup;
import io.semel.store.Store;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The engines of the application.
 *
 * @param standard the one for methods that demand nothing in particular
 * @param leased the one for methods that demand less than the standard one gives by joining their transaction
 * @param joins whether calls of the standard one need a transaction around them
 * @param database where the engine that joins no transaction takes its connections from, if from a database
 * @param looksFirst whether retries are looked for before a transaction is begun; a store of the application may not be able to
 */
public record Engines(
        Engine standard,
        @Nullable Engine leased,
        boolean joins,
        @Nullable DataSource database,
        boolean looksFirst) {

    public static Engines of(
            Engine standard, ApplicationStore backing, List<Listener> listeners, EngineSecrets secrets) {
        Engine leased = backing.leased() == null ? null : on(backing.leased(), listeners, secrets);
        return new Engines(standard, leased, backing.joins(), backing.database(), backing.own());
    }

    /** For an engine that the application has made itself. */
    public static Engines of(Engine yours) {
        if (yours.level() == Level.JOINED) {
            throw new InvalidSetup(
                    "The Engine bean is on a JOINED store, and an engine does not tell who commits.",
                    "Declare the Store as a bean instead; the starter creates the engine.");
        }
        return new Engines(yours, null, false, null, false);
    }

    public static Engine on(Store store, List<Listener> listeners, EngineSecrets secrets) {
        Engine engine = secrets.in(Engine.on(store));
        return listeners.isEmpty() ? engine : engine.withListener(Listener.all(listeners));
    }

    /** Whether the method with these demands runs in the transaction that its record is part of. */
    public boolean joins(@Nullable Level demanded) {
        return joins && (leased == null || demanded == null || demanded == Level.JOINED);
    }

    public Engine engine(Operation operation, @Nullable Level demanded) {
        Engine chosen = leased == null || joins(demanded) ? standard : leased;
        return chosen.with(demanded == null ? operation : operation.demand(demanded));
    }

    public Engine forRequests(Operation operation, @Nullable Level demanded) {
        try {
            return engine(operation, demanded);
        } catch (IllegalArgumentException e) {
            throw new InvalidSetup(
                    "HTTP requests: " + e.getMessage(),
                    "Or change semel.http.level or the level of @Idempotent; the start-up log names the store.",
                    e);
        }
    }
}
