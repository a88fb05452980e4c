// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.layered.Breaker.Notice;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/** Logs the events of a {@link Breaker} that has no other listener. */
final class BreakerLog implements Consumer<Notice> {

    private static final System.Logger LOG = System.getLogger(Breaker.class.getName());

    private final String cache;

    BreakerLog(Answers cache) {
        this.cache = cache.getClass().getSimpleName();
    }

    @Override
    public void accept(Notice notice) {
        if (notice instanceof Notice.Opened opened) {
            LOG.log(
                    Level.WARNING,
                    cache + " failed repeatedly and is bypassed for " + opened.pause() + ".",
                    opened.cause());
        } else if (notice instanceof Notice.Closed closed) {
            LOG.log(Level.INFO, cache + " works again; " + closed.spared() + " requests bypassed it.");
        } else if (notice instanceof Notice.NotForgotten kept) {
            LOG.log(
                    Level.WARNING,
                    cache + " may still return the answer of " + kept.key()
                            + " from before its amendment, until it is no longer fresh.",
                    kept.cause());
        } else if (notice instanceof Notice.Failed failed) {
            LOG.log(Level.DEBUG, () -> cache + " failed: " + failed.cause());
        }
    }

    static void listenerFailed(Notice notice, RuntimeException thrown) {
        LOG.log(Level.WARNING, "The listener of a breaker failed on " + notice + ".", thrown);
    }
}
