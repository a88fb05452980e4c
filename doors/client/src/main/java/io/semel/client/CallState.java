// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.Result.CarriedOut;
import io.semel.client.Transport.Evidence;
import io.semel.client.Transport.Verdict;
import io.semel.client.internal.attempt.RetryBudget;
import io.semel.time.Time;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The course of one call: what its attempts have come to, and whether there is to be another; not for two threads at once. */
final class CallState {

    private final String key;
    private final RetryPolicy retries;
    private final RetryBudget budget;
    private final Time time;
    private final long deadline;

    private int attempts;
    private boolean doubt;
    private Evidence last = Evidence.NOT_SENT;
    private @Nullable Throwable failure;
    private @Nullable HttpResponse<byte[]> response;
    private @Nullable ProblemType problem;

    /** A course; doubt, where an earlier process may have sent it already. */
    CallState(String key, RetryPolicy retries, RetryBudget budget, Time time, boolean doubt) {
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
        last = verdict.evidence();
        note(verdict);
    }

    private void note(Verdict verdict) {
        doubt |= verdict.evidence() == Evidence.MAYBE;
        // Where nothing could be sent, the last answer still says the most.
        if (verdict.evidence() != Evidence.NOT_SENT || response == null) {
            last = verdict.evidence();
        }
        if (verdict.evidence() == Evidence.ANSWER || verdict.evidence() == Evidence.CARRIED_OUT) {
            budget.answered();
        }
    }

    /** The pause before another attempt, or why there is none. */
    Next next(Verdict verdict) {
        if (!verdict.again()) {
            return new Next.End(StopReason.FINAL);
        }
        Duration asked = verdict.retryAfter() == null ? Duration.ZERO : verdict.retryAfter();
        Duration pause = asked.plus(retries.pause(attempts, time.jitter()));
        // An attempt that is cut off at once only adds doubt.
        Duration least = shorter(retries.attemptTimeout, retries.deadline).dividedBy(10);
        if (pause.plus(least).compareTo(remaining()) > 0) {
            return new Next.End(StopReason.DEADLINE);
        }
        // A service that says "in progress" is well, and names its own pace.
        boolean free = verdict.problem() == ProblemType.IN_PROGRESS;
        return free || budget.take() ? new Next.Again(pause) : new Next.End(StopReason.BUDGET);
    }

    /** The result as far as it is known now; underway, where an attempt has begun and not ended. */
    Result result(StopReason stop, boolean underway) {
        Evidence evidence = underway ? Evidence.MAYBE : last;
        boolean unsure = doubt || underway;
        HttpResponse<byte[]> answer = response;
        if (answer != null && (evidence == Evidence.ANSWER || (evidence == Evidence.ASIDE && !unsure))) {
            CarriedOut carriedOut = evidence == Evidence.ANSWER ? CarriedOut.YES : CarriedOut.NO;
            return new Result.Answered(key, attempts, answer, isReplay(answer), carriedOut);
        }
        if (answer != null
                && problem != null
                && (evidence == Evidence.CARRIED_OUT || (evidence == Evidence.NOT_RUN && !unsure))) {
            return new Result.Refused(key, attempts, answer, problem);
        }
        return unsure
                ? new Result.Unknown(key, attempts, stop, failure, answer)
                : new Result.NotSent(key, attempts, stop, failure);
    }

    static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue(HeaderNames.REPLAYED).orElse("").equals("true");
    }

    private Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - time.nanos()));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** The step after an attempt. */
    sealed interface Next {

        record Again(Duration pause) implements Next {}

        record End(StopReason stop) implements Next {}
    }
}
