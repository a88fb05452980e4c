// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.http.BodyComparison;
import io.semel.http.HttpRules;
import io.semel.http.KeyDialect;
import io.semel.http.KeyUse;
import io.semel.http.StatusPolicy;
import io.semel.http.StatusPolicy.Keep;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The cases of the profile that a server could spoil, over the wire. */
@ParameterizedClass
@EnumSource(Container.class)
class ProfileTest extends Service {

    @Test
    void cases2to17_malformedKeysAreRefusedWithTheirProblemAndNothingRuns() throws Exception {
        List<String> malformed = List.of(
                "\"\"",
                "\"a\\,b\"",
                "\"abc",
                "'abc'",
                "\"a\tb\"",
                "\"a\u007fb\"",
                "\"a\u00fcb\"",
                "\"abc\" x",
                "\"abc\";",
                "\"a\", \"b\"",
                "\"" + "x".repeat(256) + "\"",
                "@1659578233",
                "(\"a\")",
                "a b",
                "a,b",
                "a;b");
        for (String value : malformed) {
            Got got = send(Sent.post("/payments").key(value).json("{}"));
            assertThat(got.status()).as(value).isEqualTo(400);
        }
        filter = filter(HttpRules.standard().dialect(KeyDialect.IETF));
        assertThat(send(Sent.post("/payments").key(key).json("{}")).problem()).isEqualTo("malformed-key");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void cases1and4_quotedAndBareSpellingsAreOneKey() throws Exception {
        send(Sent.post("/payments").key("\"" + key + "\"").json("{}"));

        assertThat(send(Sent.post("/payments").key(key).json("{}")).replayed()).isTrue();
    }

    @Test
    void cases12and13_twoKeyLinesAreRefusedAlsoIfTheyAreEqual() throws Exception {
        assertThat(send(pay().key("other")).problem()).isEqualTo("malformed-key");
        assertThat(send(pay().key(key)).problem()).isEqualTo("malformed-key");
        assertThat(effects).hasValue(0);
    }

    @Test
    void case18_theNameOfTheHeaderIsInAnyCaseAndItsValueIsNot() throws Exception {
        send(Sent.post("/payments").header("idempotency-KEY", "abc").json("{}"));

        assertThat(send(Sent.post("/payments").key("abc").json("{}")).replayed())
                .isTrue();
        assertThat(send(Sent.post("/payments").key("ABC").json("{}")).replayed())
                .isFalse();
    }

    @Test
    void cases20and42_aMissingKeyIsAProblemWithAReadableBody() throws Exception {
        filter = filter(HttpRules.standard().keys(KeyUse.REQUIRED));

        Got got = send(Sent.post("/payments").json("{}"));

        assertThat(got.status()).isEqualTo(400);
        assertThat(got.problem()).isEqualTo("missing-key");
        assertThat(got.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(records()).isZero();
    }

    @Test
    void cases21to23_theFirstAnswerIsReplayedAsItWas() throws Exception {
        Got first = send(pay());

        assertThat(first.replayed()).isFalse();
        assertThat(store.count().settled()).isEqualTo(1);
        for (int i = 0; i < 3; i++) {
            Got retry = send(pay());
            assertThat(retry.status()).isEqualTo(201);
            assertThat(retry.header("Location")).isEqualTo("/payments/1");
            assertThat(retry.body()).isEqualTo(first.body());
            assertThat(retry.headers("Idempotent-Replayed")).containsExactly("true");
        }
        assertThat(effects).hasValue(1);
    }

    @Test
    void cases24to26_anythingElseUnderTheSameKeyIsRefused() throws Exception {
        send(pay());

        List<Sent> others = List.of(
                pay().body("{}"),
                pay().at("/payments?x=1"),
                pay().at("/refunds"),
                pay().at("/p%61yments"),
                pay().by("PATCH"));
        for (Sent other : others) {
            assertThat(send(other).problem()).isEqualTo("key-reused");
        }
        assertThat(send(pay().header("User-Agent", "other").header("traceparent", "x"))
                        .replayed())
                .isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void cases29to31_whileTheFirstRunsARetryIsToldToWaitAndAnotherRequestIsRefused() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        handler = (request, response) -> {
            running.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            charge(request, response);
        };
        try (Client.Line line = client().open()) {
            line.write(pay().bytes());
            running.await();

            Got retry = send(pay());
            assertThat(retry.problem()).isEqualTo("in-progress");
            assertThat(retry.header("Retry-After")).isEqualTo("1");
            assertThat(send(pay().body("{}")).problem()).isEqualTo("key-reused");
            mayEnd.countDown();
            assertThat(line.read().status()).isEqualTo(201);
        }
        assertThat(send(pay()).replayed()).isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void case34_withoutAKeyEveryRequestRuns() throws Exception {
        send(Sent.post("/payments"));
        send(Sent.post("/payments"));

        assertThat(effects).hasValue(2);
        assertThat(records()).isZero();
    }

    @Test
    void case36_aRepeatedDeleteGetsTheFirstAnswer() throws Exception {
        filter = filter(HttpRules.standard().methods("DELETE"));
        handler = (request, response) -> response.setStatus(effects.incrementAndGet() == 1 ? 204 : 404);
        Sent delete = Sent.of("DELETE", "/payments/1").key(key);

        assertThat(send(delete).status()).isEqualTo(204);
        assertThat(send(delete).status()).isEqualTo(204);
    }

    @Test
    void case37_aRouteWithoutSupportIgnoresKeysOrSaysSo() throws Exception {
        filter = filter(HttpRules.standard().keys(KeyUse.IGNORED));
        send(pay());
        send(pay());
        assertThat(effects).hasValue(2);

        filter = filter(HttpRules.standard().keys(KeyUse.REJECTED));
        assertThat(send(pay()).status()).isEqualTo(501);
        assertThat(effects).hasValue(2);
    }

    @Test
    void cases38and39_aHandlersRefusalIsReplayedAndACorrectedBodyNeedsANewKey() throws Exception {
        handler = answering(422);
        Got first = send(pay());

        assertThat(send(pay()).body()).isEqualTo(first.body());
        assertThat(send(pay().body("{}")).problem()).isEqualTo("key-reused");
        assertThat(effects).hasValue(1);
    }

    @Test
    void cases48and49_aServerErrorIsForgottenHeldOrRecorded() throws Exception {
        handler = answering(500);
        send(pay());
        assertThat(send(pay()).text()).isEqualTo("run 2");

        filter = filter(HttpRules.standard().statuses(StatusPolicy.standard().serverErrors(Keep.RECORD)));
        assertThat(send(pay()).text()).isEqualTo("run 3");
        Got recorded = send(pay());
        assertThat(recorded.status()).isEqualTo(500);
        assertThat(recorded.text()).isEqualTo("run 3");

        filter = filter(HttpRules.standard().statuses(StatusPolicy.standard().serverErrors(Keep.HOLD)));
        Sent other = Sent.post("/payments").key("held").json("{}");
        assertThat(send(other).text()).isEqualTo("run 4");
        assertThat(send(other).problem()).isEqualTo("outcome-unknown");
        assertThat(effects).hasValue(4);
    }

    @Test
    void case61_whatBelongsToAConnectionIsNotReplayed() throws Exception {
        filter = filter(HttpRules.standard().replayHeaders("X-Foo"));
        handler = (request, response) -> {
            response.setHeader("Connection", "X-Foo");
            response.setHeader("X-Foo", "1");
            response.setHeader("Keep-Alive", "timeout=5");
            response.setHeader("Proxy-Authenticate", "Basic");
            charge(request, response);
        };
        send(pay());

        Got retry = send(pay());

        Set<String> names = retry.lines().stream()
                .map(line -> line.substring(0, line.indexOf(':')).toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.toSet());
        assertThat(names).doesNotContain("x-foo", "proxy-authenticate");
        assertThat(retry.header("Keep-Alive")).isNotEqualTo("timeout=5");
    }

    @Test
    void case63_aReplayHasItsOwnDateAndLength() throws Exception {
        handler = (request, response) -> {
            response.setHeader("Date", "Thu, 01 Jan 1970 00:00:00 GMT");
            charge(request, response);
        };
        send(pay());

        Got retry = send(pay());

        assertThat(retry.headers("Date")).hasSizeLessThanOrEqualTo(1).doesNotContain("Thu, 01 Jan 1970 00:00:00 GMT");
        assertThat(retry.headers("Content-Length")).containsExactly("9");
    }

    @Test
    void case28_aNewBoundaryIsAnotherRequestUnlessPartsAreCompared() throws Exception {
        Sent one = multipart("one");
        Sent two = multipart("two");
        send(one);
        assertThat(send(two).problem()).isEqualTo("key-reused");

        filter = filter(HttpRules.standard().namespace("parts").compareBodies(BodyComparison.multipart()));
        send(one);
        assertThat(send(two).replayed()).isTrue();
    }

    @Test
    void theRetentionIsAdvertisedInEveryAnswer() throws Exception {
        filter = filter(HttpRules.standard().advertiseRetention());

        assertThat(Stream.of(send(pay()), send(pay())))
                .allMatch(got -> got.headers("Idempotency-Key-Lifetime").equals(List.of("86400")));
    }

    private Sent multipart(String boundary) {
        return Sent.post("/upload")
                .key(key)
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .body("--" + boundary + "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--" + boundary
                        + "--\r\n");
    }
}
