// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Streaming;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings of a filter. */
record FilterSettings(
        @Nullable Around around, Streaming streaming, int inMemory, long largestAnswer, Duration longestRun) {

    static final FilterSettings STANDARD =
            new FilterSettings(null, Streaming.REFUSE, 256 << 10, 256 << 20, Duration.ofMinutes(10));

    FilterSettings {
        if (inMemory < 0 || largestAnswer < 0) {
            throw new IllegalArgumentException("How much may be held is a number of bytes from zero, not "
                    + Math.min(inMemory, largestAnswer) + ".");
        }
        if (longestRun.toMillis() < 1) {
            throw new IllegalArgumentException("The longest run is at least a millisecond, not " + longestRun + ".");
        }
    }

    FilterSettings longestRun(Duration other) {
        return new FilterSettings(around, streaming, inMemory, largestAnswer, other);
    }

    FilterSettings around(Around other) {
        return new FilterSettings(other, streaming, inMemory, largestAnswer, longestRun);
    }

    FilterSettings streaming(Streaming other) {
        return new FilterSettings(around, other, inMemory, largestAnswer, longestRun);
    }

    FilterSettings inMemory(int other) {
        return new FilterSettings(around, streaming, other, largestAnswer, longestRun);
    }

    FilterSettings largestAnswer(long other) {
        return new FilterSettings(around, streaming, inMemory, other, longestRun);
    }
}
