// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Streaming;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings of a filter. */
record Settings(@Nullable Around around, Streaming streaming, int inMemory, long largestAnswer, Duration longestRun) {

    static final Settings STANDARD = new Settings(null, Streaming.REFUSE, 256 << 10, 256 << 20, Duration.ofMinutes(10));

    Settings {
        if (inMemory < 0 || largestAnswer < 0) {
            throw new IllegalArgumentException("How much may be held is a number of bytes from zero, not "
                    + Math.min(inMemory, largestAnswer) + ".");
        }
        if (longestRun.toMillis() < 1) {
            throw new IllegalArgumentException("The longest run is at least a millisecond, not " + longestRun + ".");
        }
    }

    Settings longestRun(Duration other) {
        return new Settings(around, streaming, inMemory, largestAnswer, other);
    }

    Settings around(Around other) {
        return new Settings(other, streaming, inMemory, largestAnswer, longestRun);
    }

    Settings streaming(Streaming other) {
        return new Settings(around, other, inMemory, largestAnswer, longestRun);
    }

    Settings inMemory(int other) {
        return new Settings(around, streaming, other, largestAnswer, longestRun);
    }

    Settings largestAnswer(long other) {
        return new Settings(around, streaming, inMemory, other, longestRun);
    }
}
