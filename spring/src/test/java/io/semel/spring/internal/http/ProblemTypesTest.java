// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.semel.Key;
import io.semel.LeaseLost;
import io.semel.NotDone;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.StoreException;
import io.semel.UnreadableAnswer;
import io.semel.http.Problem;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/** The advice needs no HTTP rules on the class path, so it has names of its own; this holds them to those of the HTTP profile. */
class ProblemTypesTest {

    private static final NotDoneAdvice ADVICE = new NotDoneAdvice("");

    @Test
    void theTypesAreThoseOfTheHttpProfile() {
        List<String> profile =
                Arrays.stream(Problem.Type.values()).map(Problem.Type::slug).toList();

        assertThat(everyAnswer())
                .allSatisfy(answer ->
                        assertThat(profile).contains(answer.getBody().getType().toString()));
    }

    private static List<ResponseEntity<ProblemDetail>> everyAnswer() {
        Stream<Outcome<String>> outcomes = Stream.concat(
                Stream.of(new Outcome.Busy<>(Duration.ofSeconds(1))),
                Arrays.stream(Outcome.Reason.values()).map(Outcome.Refused::new));
        return Stream.concat(
                        outcomes.map(outcome -> ADVICE.notDone(catchThrowableOfType(NotDone.class, outcome::orThrow))),
                        Stream.of(
                                ADVICE.unconfirmed(new LeaseLost(Key.of("payments", "17"), 1)),
                                ADVICE.rejected(new Rejection("negative", "Nobody pays that.")),
                                ADVICE.unreadable(new UnreadableAnswer("It was written by a newer version.")),
                                ADVICE.notAsked(new StoreException("connection refused", null))))
                .toList();
    }
}
