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
record FilterSettings(
        Streaming streaming, int largestAnswer, Duration longestRun, Scheduler blocking, Scheduler ending) {

    static final FilterSettings STANDARD = new FilterSettings(
            Streaming.REFUSE, 16 << 20, Duration.ofMinutes(10), Schedulers.boundedElastic(), ownThreads());

    FilterSettings {
        if (largestAnswer < 0) {
            throw new IllegalArgumentException(
                    "How much of an answer may be held is a number of bytes from zero, not " + largestAnswer + ".");
        }
        if (longestRun.isZero() || longestRun.isNegative()) {
            throw new IllegalArgumentException("The longest run is longer than zero, not " + longestRun + ".");
        }
    }

    FilterSettings streaming(Streaming other) {
        return new FilterSettings(other, largestAnswer, longestRun, blocking, ending);
    }

    FilterSettings largestAnswer(int other) {
        return new FilterSettings(streaming, other, longestRun, blocking, ending);
    }

    FilterSettings longestRun(Duration other) {
        return new FilterSettings(streaming, largestAnswer, other, blocking, ending);
    }

    FilterSettings blocking(Scheduler other) {
        return new FilterSettings(streaming, largestAnswer, longestRun, other, other);
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
