// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Streaming;
import java.time.Duration;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The settings of a filter.
 *
 * @param blocking where the store is asked, and duplicates wait
 * @param ending where runs are ended; another one, so that duplicates that wait for a run never keep it from ending
 */
record Settings(Streaming streaming, int largestAnswer, Duration longestRun, Scheduler blocking, Scheduler ending) {

    static final Settings STANDARD =
            new Settings(Streaming.REFUSE, 16 << 20, Duration.ofMinutes(10), Schedulers.boundedElastic(), ownThreads());

    Settings {
        if (largestAnswer < 0) {
            throw new IllegalArgumentException(
                    "How much of an answer may be held is a number of bytes from zero, not " + largestAnswer + ".");
        }
        if (longestRun.isZero() || longestRun.isNegative()) {
            throw new IllegalArgumentException("The longest run is longer than zero, not " + longestRun + ".");
        }
    }

    Settings streaming(Streaming other) {
        return new Settings(other, largestAnswer, longestRun, blocking, ending);
    }

    Settings largestAnswer(int other) {
        return new Settings(streaming, other, longestRun, blocking, ending);
    }

    Settings longestRun(Duration other) {
        return new Settings(streaming, largestAnswer, other, blocking, ending);
    }

    Settings blocking(Scheduler other) {
        return new Settings(streaming, largestAnswer, longestRun, other, other);
    }

    private static Scheduler ownThreads() {
        int idle = 60;
        return Schedulers.newBoundedElastic(
                Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE,
                Schedulers.DEFAULT_BOUNDED_ELASTIC_QUEUESIZE,
                "semel-ending",
                idle,
                true);
    }
}
