// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.Result.CarriedOut;
import io.semel.client.Transport.Sign;
import io.semel.client.Transport.Verdict;
import io.semel.time.Time;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The course of one call: what its attempts have come to, and whether there is to be another; not for two threads at once. */
final class Course {

    private final String key;
    private final Retries retries;
    private final Budget budget;
    private final Time time;
    private final long deadline;

    private int attempts;
    private boolean doubt;
    private Sign last = Sign.NOT_SENT;
    private @Nullable Throwable failure;
    private @Nullable HttpResponse<byte[]> response;
    private @Nullable Problem problem;

    /** A course; doubt, where an earlier process may have sent it already. */
    Course(String key, Retries retries, Budget budget, Time time, boolean doubt) {
        this.key = key;
        this.retries = retries;
        this.budget = budget;
        this.time = time;
        this.deadline = time.nanos() + retries.deadline.toNanos();
        this.doubt = doubt;
    }

    /** Begins an attempt; the time that it may take. */
    Duration begin(@Nullable Duration own) {
        attempts++;
        Duration limit = shorter(retries.attemptTimeout, remaining());
        return own == null ? limit : shorter(limit, own);
    }

    int attempts() {
        return attempts;
    }

    void failed(Throwable cause, Verdict verdict) {
        failure = cause;
        note(verdict);
    }

    void answered(HttpResponse<byte[]> answer, Verdict verdict) {
        response = answer;
        problem = verdict.problem();
        last = verdict.sign();
        note(verdict);
    }

    private void note(Verdict verdict) {
        doubt |= verdict.sign() == Sign.MAYBE;
        // Where nothing could be sent, the last answer still says the most.
        if (verdict.sign() != Sign.NOT_SENT || response == null) {
            last = verdict.sign();
        }
        if (verdict.sign() == Sign.ANSWER || verdict.sign() == Sign.CARRIED_OUT) {
            budget.answered();
        }
    }

    /** The pause before another attempt, or why there is none. */
    Next next(Verdict verdict) {
        if (!verdict.again()) {
            return new Next.End(Stop.FINAL);
        }
        Duration asked = verdict.retryAfter() == null ? Duration.ZERO : verdict.retryAfter();
        Duration pause = asked.plus(retries.pause(attempts, time.jitter()));
        // An attempt that is cut off at once only adds doubt.
        Duration least = shorter(retries.attemptTimeout, retries.deadline).dividedBy(10);
        if (pause.plus(least).compareTo(remaining()) > 0) {
            return new Next.End(Stop.DEADLINE);
        }
        // A service that says "in progress" is well, and names its own pace.
        boolean free = verdict.problem() == Problem.IN_PROGRESS;
        return free || budget.take() ? new Next.Again(pause) : new Next.End(Stop.BUDGET);
    }

    /** What is known now; underway, where an attempt has been begun and not ended. */
    Result result(Stop stop, boolean underway) {
        Sign sign = underway ? Sign.MAYBE : last;
        boolean unsure = doubt || underway;
        HttpResponse<byte[]> answer = response;
        if (answer != null && (sign == Sign.ANSWER || (sign == Sign.ASIDE && !unsure))) {
            CarriedOut carriedOut = sign == Sign.ANSWER ? CarriedOut.YES : CarriedOut.NO;
            return new Result.Answered(key, attempts, answer, isReplay(answer), carriedOut);
        }
        if (answer != null && problem != null && (sign == Sign.CARRIED_OUT || (sign == Sign.NOT_RUN && !unsure))) {
            return new Result.Refused(key, attempts, answer, problem);
        }
        return unsure
                ? new Result.Unknown(key, attempts, stop, failure, answer)
                : new Result.NotSent(key, attempts, stop, failure);
    }

    static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").orElse("").equals("true");
    }

    private Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - time.nanos()));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** What comes after an attempt. */
    sealed interface Next {

        record Again(Duration pause) implements Next {}

        record End(Stop stop) implements Next {}
    }
}
