// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 2 to 20 and 34 to 37 of the profile as a client sees them: which requests take part, under which key. */
class KeyCasesTest extends PaymentService {

    private static final Message KEYLESS = Message.post("/payments").json("{\"amountCents\":500}");

    @Test
    void case2_aMalformedKeyIsA400AndTheHandlerIsNotInvoked() {
        door = door(HttpRules.standard().dialect(KeyDialect.IETF));

        Answer answer = send(KEYLESS.key(KEY));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(problem(answer)).isEqualTo("malformed-key");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void case4_quotedAndUnquotedSpellingsAreExecutedOnceAndReplayed() {
        Answer first = send(KEYLESS.key(KEY));
        Answer second = send(KEYLESS.key("\"" + KEY + "\""));

        assertThat(effects).hasValue(1);
        assertThat(replayed(second)).isTrue();
        assertThat(second.body()).isEqualTo(first.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"\"", "\"abc", "a,b", "a b", "\"a\", \"b\"", "\"a\u0000\"", "\u20ac", "\"a\";"})
    void everyMalformedKeyIsRefusedWithoutATrace(String line) {
        Answer answer = send(KEYLESS.key(line));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(problem(answer)).isEqualTo("malformed-key");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void case12_twoFieldLinesAreRefusedAlsoWhenEqual_case13() {
        assertThat(problem(send(KEYLESS.key("\"a\"").key("\"b\"")))).isEqualTo("malformed-key");
        assertThat(problem(send(KEYLESS.key("\"a\"").key("\"a\"")))).isEqualTo("malformed-key");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void case15_255CharactersAreAcceptedAnd256AreNot() {
        assertThat(send(KEYLESS.key("\"" + "\\\\".repeat(255) + "\"")).status()).isEqualTo(201);
        assertThat(send(KEYLESS.key("\"" + "\\\\".repeat(256) + "\"")).status()).isEqualTo(400);
        assertThat(send(KEYLESS.key("k".repeat(256))).status()).isEqualTo(400);
        assertThat(effects).hasValue(1);
    }

    @Test
    void theLongestKeyIsTheLongestThatAnyStoreTakes() {
        door = door(HttpRules.standard().longestKey(1024));

        assertThat(send(KEYLESS.key("k".repeat(1024))).status()).isEqualTo(201);
        assertThat(send(KEYLESS.key("k".repeat(1025))).status()).isEqualTo(400);
        assertThatThrownBy(() -> HttpRules.standard().longestKey(1025)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void case18_theNameOfTheHeaderHasAnyCaseAndItsValueHasOne() {
        send(KEYLESS.header("idempotency-key", "abc"));

        assertThat(replayed(send(KEYLESS.header("IDEMPOTENCY-KEY", "abc")))).isTrue();
        assertThat(replayed(send(KEYLESS.header("Idempotency-Key", "ABC")))).isFalse();
        assertThat(effects).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"' OR '1'='1\"", "\"%_\"", "\"*?[a]\"", "\"{tag}\"", "\"a; DROP TABLE k--\"", "\"\\\\\\\"\""})
    void case19_metacharactersInAKeyAreOpaque(String line) {
        send(KEYLESS.key("\"x\""));
        Answer first = send(KEYLESS.key(line));

        assertThat(replayed(first)).isFalse();
        assertThat(replayed(send(KEYLESS.key(line)))).isTrue();
        assertThat(effects).hasValue(2);
        assertThat(records()).isEqualTo(2);
    }

    @Test
    void case20_aRequiredKeyThatIsMissingIsAProblemAndNoRecordExists() {
        door = door(HttpRules.standard().keys(KeyUse.REQUIRED));

        Answer answer = send(KEYLESS);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(problem(answer)).isEqualTo("missing-key");
        assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void case34_withoutAKeyEveryRequestIsExecutedAndNothingIsRecorded() {
        send(KEYLESS);
        send(KEYLESS);

        assertThat(effects).hasValue(2);
        assertThat(records()).isZero();
        assertThat(door.enter(KEYLESS, KEYLESS.body()))
                .isEqualTo(new RequestDecision.Pass(RequestDecision.PassReason.NO_KEY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS"})
    void case35_keysAreIgnoredOnSafeMethodsEvenMalformedOnes(String method) {
        for (KeyUse use : KeyUse.values()) {
            door = door(HttpRules.standard().keys(use).dialect(KeyDialect.IETF));
            assertThat(door.enter(KEYLESS.by(method).key("\"broken").key("twice"), new byte[0]))
                    .isEqualTo(new RequestDecision.Pass(RequestDecision.PassReason.METHOD));
        }
        assertThat(records()).isZero();
    }

    @Test
    void safeMethodsCannotBeMadeToTakePart() {
        assertThatThrownBy(() -> HttpRules.standard().methods("POST", "GET"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void case36_aRepeatedDeleteIsAnsweredWithTheFirst204WhereDeleteTakesPart() {
        door = door(HttpRules.standard().methods("POST", "DELETE"));
        handler = message -> Answer.of(effects.incrementAndGet() == 1 ? 204 : 404, new byte[0]);
        Message delete = Message.of("DELETE", "/payments/17").key(KEY);

        assertThat(send(delete).status()).isEqualTo(204);
        Answer second = send(delete);

        assertThat(second.status()).isEqualTo(204);
        assertThat(replayed(second)).isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void putAndDeleteTakeNoPartUnlessAskedFor() {
        send(KEYLESS.by("PUT").key(KEY));
        send(KEYLESS.by("PUT").key(KEY));
        send(KEYLESS.by("DELETE").key("\"broken"));

        assertThat(effects).hasValue(3);
        assertThat(records()).isZero();
    }

    @Test
    void patchTakesPart() {
        send(KEYLESS.by("PATCH").key(KEY));

        assertThat(replayed(send(KEYLESS.by("PATCH").key(KEY)))).isTrue();
    }

    @Test
    void methodsAreCaseSensitive() {
        assertThat(door.enter(KEYLESS.by("post").key(KEY), KEYLESS.body()))
                .isEqualTo(new RequestDecision.Pass(RequestDecision.PassReason.METHOD));
    }

    @Test
    void case37_whereKeysAreIgnoredTheRequestRunsAndNothingIsRecorded() {
        door = door(HttpRules.standard().keys(KeyUse.IGNORED));

        send(PAY);
        send(PAY);

        assertThat(effects).hasValue(2);
        assertThat(records()).isZero();
    }

    @Test
    void case37_whereKeysAreRejectedARequestWithOneIsA501AndNotExecuted() {
        door = door(HttpRules.standard().keys(KeyUse.REJECTED));

        Answer answer = send(PAY.by("PUT"));

        assertThat(answer.status()).isEqualTo(501);
        assertThat(problem(answer)).isEqualTo("unsupported");
        assertThat(effects).hasValue(0);
        assertThat(send(KEYLESS).status()).isEqualTo(201);
        assertThat(records()).isZero();
    }

    @Test
    void vendorSpellingsAreTakenWhereTheyAreListed() {
        door = door(HttpRules.standard().keyHeaders("Idempotency-Key", "X-Idempotency-Key", "PayPal-Request-Id"));

        send(KEYLESS.header("paypal-request-id", KEY));

        assertThat(replayed(send(KEYLESS.header("X-Idempotency-Key", KEY)))).isTrue();
        assertThat(replayed(send(KEYLESS.key("\"" + KEY + "\"")))).isTrue();
        assertThat(problem(send(KEYLESS.key(KEY).header("X-Idempotency-Key", KEY))))
                .isEqualTo("malformed-key");
        assertThat(effects).hasValue(1);
    }

    @Test
    void noVendorSpellingIsTakenByDefault() {
        for (String name : List.of("X-Idempotency-Key", "PayPal-Request-Id", "X-Request-Id")) {
            send(KEYLESS.header(name, KEY));
            send(KEYLESS.header(name, KEY));
        }
        assertThat(effects).hasValue(6);
        assertThat(records()).isZero();
    }

    @Test
    void theRunKnowsItsKeyAndScope() {
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());

        assertThat(run.attempt().key()).isEqualTo(Key.of("http/principal/alice", KEY));
        assertThat(run.attempt().fence()).isPositive();
        run.release();
    }
}
