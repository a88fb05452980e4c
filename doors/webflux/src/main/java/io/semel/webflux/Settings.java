// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Streaming;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The settings of a filter. */
record Settings(Streaming streaming, int largestAnswer, Scheduler blocking) {

    static final Settings STANDARD = new Settings(Streaming.REFUSE, 16 << 20, Schedulers.boundedElastic());

    Settings {
        if (largestAnswer < 0) {
            throw new IllegalArgumentException(
                    "How much of an answer may be held is a number of bytes from zero, not " + largestAnswer + ".");
        }
    }
}
