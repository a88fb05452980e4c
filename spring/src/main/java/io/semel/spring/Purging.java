// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.observe.PurgeLog;
import io.semel.store.Purgeable;
import io.semel.store.Purger;
import org.springframework.context.SmartLifecycle;

/** A {@link Purger} that lives as long as the application. */
record Purging(String records, Purger purger) implements SmartLifecycle {

    static Purging of(String records, Purgeable store, SemelProperties.Purge settings) {
        return new Purging(records, new Purger(store, settings.interval(), settings.batch(), new PurgeLog(records)));
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
