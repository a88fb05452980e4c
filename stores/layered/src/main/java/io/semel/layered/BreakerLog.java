// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.layered.Breaker.Notice;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/** Where a {@link Breaker} tells what happened if nobody else wants to know. */
final class BreakerLog implements Consumer<Notice> {

    private static final System.Logger LOG = System.getLogger(Breaker.class.getName());

    private final String place;

    BreakerLog(Answers place) {
        this.place = place.getClass().getSimpleName();
    }

    @Override
    public void accept(Notice notice) {
        if (notice instanceof Notice.Opened opened) {
            LOG.log(
                    Level.WARNING,
                    place + " cannot be asked and is left alone for " + opened.pause() + ".",
                    opened.cause());
        } else if (notice instanceof Notice.Closed closed) {
            LOG.log(Level.INFO, place + " answers again; " + closed.spared() + " questions had been spared.");
        } else if (notice instanceof Notice.NotForgotten kept) {
            LOG.log(
                    Level.WARNING,
                    place + " may answer for " + kept.key()
                            + " as before its amendment, until that is no longer fresh.",
                    kept.cause());
        } else if (notice instanceof Notice.Failed failed) {
            LOG.log(Level.DEBUG, () -> place + " could not be asked: " + failed.cause());
        }
    }

    static void complain(Notice notice, RuntimeException thrown) {
        LOG.log(Level.WARNING, "The listener of a breaker threw when it was told " + notice + ".", thrown);
    }
}
