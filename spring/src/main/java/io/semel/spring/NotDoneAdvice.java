// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.LeaseLost;
import io.semel.NotDone;
import io.semel.Outcome;
import io.semel.OutcomeUnknown;
import io.semel.Rejection;
import io.semel.StoreException;
import io.semel.UnreadableAnswer;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** Answers requests whose handler has called an {@link Idempotent} method in vain; after every advice of the application. */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class NotDoneAdvice {

    private static final Duration SOON = Duration.ofSeconds(1);

    private final String problemBase;

    NotDoneAdvice(String problemBase) {
        this.problemBase = problemBase;
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notDone(NotDone thrown) {
        if (thrown.outcome() instanceof Outcome.Busy<?> busy) {
            return problem(
                    HttpStatus.CONFLICT,
                    "in-progress",
                    "An earlier call with this key is being carried out. Retry unchanged to get its answer.",
                    busy.retryAfter());
        }
        return switch (((Outcome.Refused<?>) thrown.outcome()).reason()) {
            case MISMATCH ->
                problem(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        "key-reused",
                        "The key was used for another request. Nothing was run.",
                        null);
            case UNKNOWN ->
                problem(
                        HttpStatus.CONFLICT,
                        "outcome-unknown",
                        "An earlier call with this key was begun and never answered. It is refused until somebody has"
                                + " found out whether it happened.",
                        SOON);
            case NOT_RETAINED ->
                problem(
                        HttpStatus.GONE,
                        "result-unavailable",
                        "It was carried out, but its answer could not be kept. It is not carried out again.",
                        null);
            default ->
                problem(
                        HttpStatus.GONE,
                        "gone",
                        "It was carried out, or may have been, too long ago to say what the answer was.",
                        null);
        };
    }

    @ExceptionHandler({OutcomeUnknown.class, LeaseLost.class})
    ResponseEntity<ProblemDetail> unconfirmed(RuntimeException thrown) {
        return problem(
                HttpStatus.CONFLICT,
                "outcome-unknown",
                "The call was carried out, but its answer is not known to be recorded. Retry unchanged to learn more.",
                SOON);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> rejected(Rejection thrown) {
        return problem(HttpStatus.UNPROCESSABLE_CONTENT, "rejected", thrown.code() + ": " + thrown.detail(), null);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unreadable(UnreadableAnswer thrown) {
        return problem(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "result-unreadable",
                "It was carried out, and is not carried out again. The operators of this service can make its answer readable.",
                null);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notAsked(StoreException thrown) {
        return problem(HttpStatus.SERVICE_UNAVAILABLE, "store-unavailable", "Nothing was run. Retry unchanged.", SOON);
    }

    /** Whoever may retry is told when, and so is a door around it, which then does not record that answer. */
    private ResponseEntity<ProblemDetail> problem(
            HttpStatus status, String type, String detail, @Nullable Duration retryAfter) {
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
