// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import io.semel.store.Purger;
import java.lang.System.Logger.Level;

/** A {@link Purger.Watcher} that logs when purging begins to fail and when it works again, once each. */
public final class PurgeLog implements Purger.Watcher {

    private static final System.Logger LOG = System.getLogger(PurgeLog.class.getName());

    private final String records;

    /** @param records what is purged, as the log calls it: keys, sessions */
    public PurgeLog(String records) {
        this.records = records;
    }

    @Override
    public void failed(Throwable cause) {
        LOG.log(
                Level.WARNING,
                "Expired " + records + " could not be purged; Semel goes on trying and logs the recovery.",
                cause);
    }

    @Override
    public void recovered() {
        LOG.log(Level.INFO, "Expired " + records + " are purged again.");
    }
}
