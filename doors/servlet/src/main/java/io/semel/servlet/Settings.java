// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Streaming;
import org.jspecify.annotations.Nullable;

/** The settings of a filter. */
record Settings(@Nullable Around around, Streaming streaming, int inMemory, long largestAnswer) {

    static final Settings STANDARD = new Settings(null, Streaming.REFUSE, 256 << 10, 256 << 20);

    Settings {
        if (inMemory < 0 || largestAnswer < 0) {
            throw new IllegalArgumentException("How much may be held is a number of bytes from zero, not "
                    + Math.min(inMemory, largestAnswer) + ".");
        }
    }

    Settings around(Around other) {
        return new Settings(other, streaming, inMemory, largestAnswer);
    }

    Settings streaming(Streaming other) {
        return new Settings(around, other, inMemory, largestAnswer);
    }

    Settings inMemory(int other) {
        return new Settings(around, streaming, other, largestAnswer);
    }

    Settings largestAnswer(long other) {
        return new Settings(around, streaming, inMemory, other);
    }
}
