// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Asks again, with growing pauses, while somebody else has what is asked for. No connection is held in between, so that whoever
 * waits takes none from the others.
 */
final class Patience {

    private static final long SHORTEST = 1_000_000;
    private static final long LONGEST = 32_000_000;

    /** Empty if the answer still was after so long, or if the thread was interrupted. */
    static <T> Optional<T> ask(Duration most, Supplier<Optional<T>> question) {
        long start = System.nanoTime();
        long pause = SHORTEST;
        Optional<T> answer = question.get();
        while (answer.isEmpty() && System.nanoTime() - start < most.toNanos()) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pause / 2, pause));
            if (Thread.currentThread().isInterrupted()) {
                return answer;
            }
            pause = Math.min(LONGEST, pause * 2);
            answer = question.get();
        }
        return answer;
    }

    private Patience() {}
}
