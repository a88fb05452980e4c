// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.store;

import io.semel.observe.PurgeLog;
import io.semel.spring.SemelProperties;
import io.semel.store.Purgeable;
import io.semel.store.Purger;
import org.springframework.context.SmartLifecycle;

/** The {@link Purger} of one kind of records, bound to the lifecycle of the application. */
public record PurgeLifecycle(String records, Purger purger) implements SmartLifecycle {

    public static PurgeLifecycle of(String records, Purgeable store, SemelProperties.Purge settings) {
        return new PurgeLifecycle(
                records, new Purger(store, settings.interval(), settings.batch(), new PurgeLog(records)));
    }

    @Override
    public void start() {
        purger.start();
    }

    @Override
    public void stop() {
        purger.close();
    }

    @Override
    public boolean isRunning() {
        return purger.isRunning();
    }
}
