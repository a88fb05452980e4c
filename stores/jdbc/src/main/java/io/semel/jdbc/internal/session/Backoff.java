// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Retries, with growing pauses, while another transaction holds a row. No connection is held during a pause, so that
 * waiting requests take none from others.
 */
public final class Backoff {

    private static final long SHORTEST = 1_000_000;
    private static final long LONGEST = 32_000_000;

    /** Empty if the last answer was still empty at the time limit, or if the thread was interrupted. */
    public static <T> Optional<T> retry(Duration most, Supplier<Optional<T>> attempt) {
        long start = System.nanoTime();
        long pause = SHORTEST;
        Optional<T> answer = attempt.get();
        while (answer.isEmpty() && System.nanoTime() - start < most.toNanos()) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pause / 2, pause));
            if (Thread.currentThread().isInterrupted()) {
                return answer;
            }
            pause = Math.min(LONGEST, pause * 2);
            answer = attempt.get();
        }
        return answer;
    }

    private Backoff() {}
}
