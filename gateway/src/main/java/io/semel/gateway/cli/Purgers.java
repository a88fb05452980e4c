// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.admin.api.Console;
import io.semel.observe.PurgeLog;
import io.semel.store.Purgeable;
import io.semel.store.Purger;
import io.semel.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The purgers of a gateway: one for its keys and one for its sessions, where the store does not expire them by itself. */
record Purgers(List<Purger> purgers) implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    static Purgers start(Store keys, @Nullable Store sessions, Console console) {
        List<Purger> purgers = new ArrayList<>();
        if (keys instanceof Purgeable purgeable) {
            purgers.add(start("keys", purgeable, console));
        }
        if (sessions instanceof Purgeable purgeable) {
            purgers.add(start("sessions", purgeable, console));
        }
        return new Purgers(List.copyOf(purgers));
    }

    private static Purger start(String records, Purgeable store, Console console) {
        Purger purger = new Purger(store, INTERVAL, Purger.BATCH, new PurgeLog(records));
        console.watch(records, purger);
        purger.start();
        return purger;
    }

    @Override
    public void close() {
        purgers.forEach(Purger::close);
    }
}
