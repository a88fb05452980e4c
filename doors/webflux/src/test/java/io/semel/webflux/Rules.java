// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.semel.Operation;
import io.semel.WhenAbandoned;
import io.semel.WhenAbandoned.Verdict;
import io.semel.http.Answer;
import io.semel.http.BodyComparison;
import io.semel.http.HttpRules;
import io.semel.http.KeyDialect;
import io.semel.http.KeyUse;
import io.semel.http.StatusPolicy;
import io.semel.http.StatusPolicy.Keep;
import io.semel.testkit.http.HttpSetting;
import java.time.Duration;

/** The settings of the HTTP contract as rules. */
final class Rules {

    static HttpRules of(HttpSetting setting) {
        HttpRules standard = HttpRules.standard();
        return switch (setting) {
            case QUOTED_KEYS -> standard.dialect(KeyDialect.IETF);
            case BARE_KEYS -> standard.dialect(KeyDialect.RAW);
            case KEYS_REQUIRED -> standard.keys(KeyUse.REQUIRED);
            case KEYS_IGNORED -> standard.keys(KeyUse.IGNORED);
            case KEYS_REJECTED -> standard.keys(KeyUse.REJECTED);
            case DELETES -> standard.methods("POST", "PATCH", "DELETE");
            case JSON_BY_MEANING -> standard.compareBodies(BodyComparison.json());
            case FORMS_BY_PARTS -> standard.compareBodies(BodyComparison.multipart());
            case ERRORS_RECORDED -> standard.statuses(StatusPolicy.standard().serverErrors(Keep.RECORD));
            case ERRORS_HELD -> standard.statuses(StatusPolicy.standard().serverErrors(Keep.HOLD));
            case MORE_HEADERS -> standard.replayHeaders("Set-Cookie", "X-Foo");
            case FAIL_OPEN -> standard.failOpen();
            case FIRST_SENT -> standard.firstSentHeader("Repeatability-First-Sent");
            default -> standard;
        };
    }

    static Operation operation(HttpSetting setting) {
        Operation standard = Operation.named("payments");
        return switch (setting) {
            case RERUN -> standard.whenAbandoned(WhenAbandoned.rerun());
            case FOUND_DONE ->
                standard.whenAbandoned(WhenAbandoned.reconcile(
                        (call, attempt) -> Verdict.happened(Answer.codec(), Answer.of(201, "found".getBytes(UTF_8)))));
            case FOUND_NOT_DONE ->
                standard.whenAbandoned(WhenAbandoned.reconcile((call, attempt) -> Verdict.didNotHappen()));
            case WAITING -> standard.waitWhenBusy(Duration.ofSeconds(3));
            case SMALL_ANSWERS -> standard.keepAnswersUpTo(1_000);
            default -> standard;
        };
    }

    private Rules() {}
}
