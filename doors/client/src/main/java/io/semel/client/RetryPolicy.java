// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.time.Duration;
import java.util.function.Consumer;

/** The policy for retries: their number, pauses and time-outs; immutable, each method gives a changed copy. */
public final class RetryPolicy {

    private static final RetryPolicy STANDARD = new RetryPolicy();

    // Not final, so that a copy can differ in one field; written only before anyone else sees the copy.
    Duration deadline = Duration.ofSeconds(60);
    Duration attemptTimeout = Duration.ofSeconds(10);
    Duration firstPause = Duration.ofMillis(100);
    Duration longestPause = Duration.ofSeconds(5);
    int tokens = 100;
    double returned = 0.1;
    int largestAnswer = 16 << 20;

    private RetryPolicy() {}

    /**
     * A minute in all, ten seconds for an attempt, pauses that double from 100 ms to 5 s, answers up to 16 MiB, and a
     * budget of 100 retries of which every tenth call that ends well gives one back.
     */
    public static RetryPolicy standard() {
        return STANDARD;
    }

    /** No attempt begins, and none goes on, when this has passed since the first. */
    public RetryPolicy deadline(Duration span) {
        checkSpan("A deadline", span);
        return copy(it -> it.deadline = span);
    }

    /** The time-out of one attempt, up to the last byte of its answer; the request's own counts if it is shorter. */
    public RetryPolicy attemptTimeout(Duration span) {
        checkSpan("The time of an attempt", span);
        return copy(it -> it.attemptTimeout = span);
    }

    /** The pause before retry n is a random part of {@code first * 2^(n-1)}, but never more than {@code longest}. */
    public RetryPolicy pauses(Duration first, Duration longest) {
        checkSpan("The first pause", first);
        checkSpan("The longest pause", longest);
        return copy(it -> {
            it.firstPause = first;
            it.longestPause = longest;
        });
    }

    /**
     * The retries that all calls of a client may make together, and the part of one that is given back by each call that gets
     * an answer: at {@code 0.1}, a service that fails for long gets a tenth more requests and not many times as many.
     */
    public RetryPolicy budget(int retries, double returnedByAnswer) {
        if (retries < 0 || !(returnedByAnswer >= 0 && returnedByAnswer <= 1)) {
            throw new IllegalArgumentException(
                    "A budget is a number of retries from 0, and from 0 to 1 of them is given back;" + " not " + retries
                            + " and " + returnedByAnswer + ".");
        }
        return copy(it -> {
            it.tokens = retries;
            it.returned = returnedByAnswer;
        });
    }

    /** The largest body of an answer; a larger one ends as unknown. */
    public RetryPolicy largestAnswer(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("The largest answer is a number of bytes from zero, not " + bytes + ".");
        }
        return copy(it -> it.largestAnswer = bytes);
    }

    /** The same, with a deadline that is not later than this. */
    RetryPolicy within(Duration span) {
        return deadline.compareTo(span) <= 0 ? this : copy(it -> it.deadline = span);
    }

    /** A random part, by the jitter from 0 to 1, of a pause that doubles with every retry. */
    Duration pause(int retry, double jitter) {
        double doubled = firstPause.toNanos() * Math.pow(2, retry - 1);
        return Duration.ofNanos((long) (jitter * Math.min(doubled, (double) longestPause.toNanos())));
    }

    private RetryPolicy copy(Consumer<RetryPolicy> change) {
        RetryPolicy copy = new RetryPolicy();
        copy.deadline = deadline;
        copy.attemptTimeout = attemptTimeout;
        copy.firstPause = firstPause;
        copy.longestPause = longestPause;
        copy.tokens = tokens;
        copy.returned = returned;
        copy.largestAnswer = largestAnswer;
        change.accept(copy);
        return copy;
    }

    private static void checkSpan(String what, Duration span) {
        if (span.isNegative() || span.isZero() || span.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(what + " is longer than zero and at most a day, not " + span + ".");
        }
    }
}
