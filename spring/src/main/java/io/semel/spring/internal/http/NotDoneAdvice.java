// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.http;

import io.semel.LeaseLost;
import io.semel.NotDone;
import io.semel.Outcome;
import io.semel.OutcomeUnknown;
import io.semel.Rejection;
import io.semel.StoreException;
import io.semel.UnreadableAnswer;
import io.semel.spring.Idempotent;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** The advice that answers requests whose handler called an {@link Idempotent} method in vain; it follows all others. */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public class NotDoneAdvice {

    private static final Duration SOON = Duration.ofSeconds(1);

    /** By its number, as Spring 6 and 7 have different names for it. */
    private static final HttpStatusCode UNPROCESSABLE = HttpStatusCode.valueOf(422);

    private final String problemBase;

    public NotDoneAdvice(String problemBase) {
        this.problemBase = problemBase;
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notDone(NotDone thrown) {
        if (thrown.outcome() instanceof Outcome.Busy<?> busy) {
            return problem(
                    HttpStatus.CONFLICT,
                    "in-progress",
                    "An earlier call with this key is still running. Retry unchanged to get its answer.",
                    busy.retryAfter());
        }
        return switch (((Outcome.Refused<?>) thrown.outcome()).reason()) {
            case MISMATCH ->
                problem(
                        UNPROCESSABLE,
                        "key-reused",
                        "The key was used for a different request. This request was not executed.",
                        null);
            case UNKNOWN ->
                problem(
                        HttpStatus.CONFLICT,
                        "outcome-unknown",
                        "An earlier call with this key started and never answered. Its key is refused until an operator"
                                + " has determined the outcome.",
                        SOON);
            case NOT_RETAINED ->
                problem(
                        HttpStatus.GONE,
                        "result-unavailable",
                        "The call was executed, but its answer could not be kept. It is not executed again.",
                        null);
            default ->
                problem(
                        HttpStatus.GONE,
                        "gone",
                        "The call was executed, or may have been, too long ago for its answer to be kept.",
                        null);
        };
    }

    @ExceptionHandler({OutcomeUnknown.class, LeaseLost.class})
    ResponseEntity<ProblemDetail> unconfirmed(RuntimeException thrown) {
        return problem(
                HttpStatus.CONFLICT,
                "outcome-unknown",
                "The call was executed, but its answer may not be recorded. Retry unchanged to find out.",
                SOON);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> rejected(Rejection thrown) {
        return problem(UNPROCESSABLE, "rejected", thrown.code() + ": " + thrown.detail(), null);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unreadable(UnreadableAnswer thrown) {
        return problem(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "result-unreadable",
                "The call was executed, and is not executed again. An operator can make its stored answer readable.",
                null);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notAsked(StoreException thrown) {
        return problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "store-unavailable",
                "The idempotency store is unavailable. The call was not executed; retry unchanged.",
                SOON);
    }

    /** Whoever may retry is told when, and so is a door around it, which then does not record that answer. */
    private ResponseEntity<ProblemDetail> problem(
            HttpStatusCode status, String type, String detail, @Nullable Duration retryAfter) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(URI.create(problemBase + type));
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(status).contentType(MediaType.APPLICATION_PROBLEM_JSON);
        if (retryAfter != null) {
            answer.header(
                    HttpHeaders.RETRY_AFTER,
                    Long.toString(Math.max(1, retryAfter.plusMillis(999).toSeconds())));
        }
        return answer.body(problem);
    }
}
