// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.semel.client.Payments.Weather;
import io.semel.client.Result.Answered;
import io.semel.client.Result.Refused;
import io.semel.client.Result.Unknown;
import io.semel.http.HttpRules;
import io.semel.http.KeyDialect;
import io.semel.http.KeyUse;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

class EndToEndTest {

    private static final HttpRules RULES = HttpRules.standard().keys(KeyUse.REQUIRED);
    private static final int KEYS = 200;
    private static final int FOUL = 4;

    private static final RetryPolicy RETRIES = RetryPolicy.standard()
            .pauses(Duration.ofMillis(1), Duration.ofMillis(50))
            .budget(100_000, 1);

    private final RetryingClient client =
            RetryingClient.over(HttpClient.newHttpClient()).with(RETRIES);
    private final RetryingClient hasty = client.with(RETRIES.attemptTimeout(Duration.ofMillis(300)));
    /** Ends an attempt that is never answered soon, and none that is, however slow the machine. */
    private final RetryingClient brisk = client.with(RETRIES.attemptTimeout(Duration.ofSeconds(2)));

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void everyKeyHasExactlyOneEffectOrIsSaidToBeUnknown(long seed) throws Exception {
        try (Payments payments = new Payments(RULES, (key, attempt) -> weather(seed, key, attempt))) {
            List<CompletableFuture<Result>> sent = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                sent.add(hasty.sendAsync(payments.pay(i)));
            }
            List<Result> results = new ArrayList<>();
            for (CompletableFuture<Result> each : sent) {
                results.add(each.get(2, TimeUnit.MINUTES));
            }

            for (Result result : results) {
                int effects = payments.effects
                        .getOrDefault(result.key(), new AtomicInteger())
                        .get();
                if (result instanceof Answered answered) {
                    assertThat(effects).isEqualTo(1);
                    assertThat(answered.response().statusCode()).isEqualTo(201);
                    assertThat(answered.response().body()).asString(UTF_8).isEqualTo("payment 1 of " + result.key());
                } else {
                    assertThat(result).isInstanceOf(Unknown.class);
                    assertThat(effects).isLessThanOrEqualTo(1);
                }
            }
            List<Answered> answered = results.stream()
                    .filter(Answered.class::isInstance)
                    .map(Answered.class::cast)
                    .toList();
            assertThat(answered).hasSizeGreaterThan(KEYS / 2);
            assertThat(answered).anyMatch(Answered::replayed).anyMatch(each -> !each.replayed());
        }
    }

    /** Foul for the first few attempts at each key, and then fine, so that most come to an answer. */
    private static Weather weather(long seed, String key, int attempt) {
        Weather[] all = Weather.values();
        int pick = new Random(seed * 31 + key.hashCode() * 31L + attempt).nextInt(all.length);
        boolean blocks = all[pick] == Weather.HANDLER_SLOW && attempt > 1;
        return attempt > FOUL || blocks ? Weather.FINE : all[pick];
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.INCLUDE,
            names = {"LOST_AFTER", "SILENT_AFTER", "TORN_AFTER", "HANDLER_SLOW"})
    void anAnswerThatWasLostIsReplayed(Weather first) throws Exception {
        try (Payments payments = new Payments(RULES, (key, attempt) -> attempt == 1 ? first : Weather.FINE)) {
            Answered answered = (Answered) brisk.send(payments.pay(500));

            assertThat(answered.replayed()).isTrue();
            assertThat(payments.effects.get(answered.key())).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.INCLUDE,
            names = {"LOST_BEFORE", "SILENT_BEFORE", "LIMITED", "BAD_GATEWAY", "HANDLER_FAILS"})
    void aRequestThatWasLostIsRunByTheRetry(Weather first) throws Exception {
        try (Payments payments = new Payments(RULES, (key, attempt) -> attempt == 1 ? first : Weather.FINE)) {
            Answered answered = (Answered) brisk.send(payments.pay(500));

            assertThat(answered.replayed()).isFalse();
            assertThat(payments.effects.get(answered.key())).hasValue(1);
        }
    }

    @Test
    void anotherRequestUnderTheSameKeyIsRefused() throws Exception {
        try (Payments payments = new Payments(RULES.mismatchStatus(400), (key, attempt) -> Weather.FINE)) {
            String key = client.send(payments.pay(500)).key();

            assertThat(problem(client.send(payments.pay(600).key(key)))).isEqualTo(ProblemType.KEY_REUSED);
            assertThat(payments.effects.get(key)).hasValue(1);
        }
    }

    @Test
    void aKeyFromTheFutureIsRefusedAndOneFromThePastIsUnknown() throws Exception {
        try (Payments payments = new Payments(RULES, (key, attempt) -> Weather.FINE)) {
            assertThat(problem(client.send(payments.pay(500).key(dated(Duration.ofDays(1))))))
                    .isEqualTo(ProblemType.FUTURE_DATED);
            assertThat(client.send(payments.pay(500).key(dated(Duration.ofDays(-3)))))
                    .isInstanceOf(Unknown.class);
            assertThat(payments.effects).isEmpty();
        }
    }

    @Test
    void aServiceThatInsistsOnQuotesGetsThem() throws Exception {
        try (Payments payments = new Payments(RULES.dialect(KeyDialect.IETF), (key, attempt) -> Weather.FINE)) {
            assertThat(problem(client.send(payments.pay(500)))).isEqualTo(ProblemType.MALFORMED_KEY);
            assertThat(client.quotedKeys().send(payments.pay(500))).isInstanceOf(Answered.class);
        }
    }

    @Test
    void aRouteThatTakesNoKeysSaysSo() throws Exception {
        try (Payments payments = new Payments(RULES.keys(KeyUse.REJECTED), (key, attempt) -> Weather.FINE)) {
            assertThat(problem(client.send(payments.pay(500)))).isEqualTo(ProblemType.UNSUPPORTED);
        }
    }

    private static ProblemType problem(Result result) {
        assertThat(result)
                .asInstanceOf(type(Refused.class))
                .matches(refused -> refused.carriedOut() == Result.CarriedOut.NO);
        return ((Refused) result).problem();
    }

    private static String dated(Duration fromNow) {
        long millis = Instant.now().plus(fromNow).toEpochMilli();
        return new UUID(millis << 16 | 0x7000, UUID.randomUUID().getLeastSignificantBits()).toString();
    }
}
