// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.time.KeyTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 58 and 59 of the profile: keys and requests that say how old they are. */
class DatedCasesTest extends PaymentService {

    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH);
    private static final String HEADER = "Repeatability-First-Sent";

    private Instant now;

    @BeforeEach
    void takeFirstSent() {
        door = door(HttpRules.standard().firstSentHeader(HEADER));
        now = store.now().truncatedTo(ChronoUnit.SECONDS);
    }

    @Test
    void case58_aRequestFirstSentBeforeTheWindowIsGoneThoughNoRecordExists() {
        Answer answer = send(PAY.header(HEADER, date(now.minus(Duration.ofHours(25)))));

        assertThat(answer.status()).isEqualTo(410);
        assertThat(problem(answer)).isEqualTo("gone");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void case58_aRequestFirstSentWithinTheWindowExecutes() {
        Message message = PAY.header(HEADER, date(now.minus(Duration.ofHours(23))));

        assertThat(send(message).status()).isEqualTo(201);
        assertThat(replayed(send(message))).isTrue();
    }

    @Test
    void case59_aRequestFromTheFutureBeyondTheSkewIsRejected() {
        Answer answer = send(PAY.header(HEADER, date(now.plus(Duration.ofMinutes(10)))));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(problem(answer)).isEqualTo("future-dated");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
        assertThat(send(PAY.header(HEADER, date(now.plus(Duration.ofMinutes(3)))))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void case59_theSameKeyWithAnotherFirstSentIsRejected() {
        send(PAY.header(HEADER, date(now)));

        assertThat(send(PAY.header(HEADER, date(now.minusSeconds(1)))).status()).isEqualTo(422);
        assertThat(send(PAY).status()).isEqualTo(422);
        assertThat(replayed(send(PAY.header(HEADER, "@" + now.getEpochSecond()))))
                .isTrue();
        assertThat(effects).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "1659578233",
                "@",
                "@1.5",
                "@9999999999999999",
                "2026-11-15T10:00:00Z",
                "Sun, 31 Feb 2026 10:00:00 GMT",
                "Mon, 15 Nov 2026 10:00:00 GMT",
                "Sun, 15 Nov 2026 10:00:00 +0100",
                "Sun, 15 Nov 2026 25:00:00 GMT",
                "Paz, 15 Kas 2026 10:00:00 GMT",
            })
    void aTimeThatIsNoneIsRefused(String line) {
        Answer answer = send(PAY.header(HEADER, line));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(problem(answer)).isEqualTo("malformed-first-sent");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void twoTimesAreRefused() {
        String line = date(now);

        assertThat(problem(send(PAY.header(HEADER, line).header(HEADER, line)))).isEqualTo("malformed-first-sent");
    }

    @Test
    void theFarthestDatesAreAnsweredToo() {
        assertThat(problem(send(PAY.header(HEADER, "@999999999999999")))).isEqualTo("future-dated");
        assertThat(problem(send(PAY.header(HEADER, "@-999999999999999")))).isEqualTo("gone");
    }

    @Test
    void withoutTheSettingTheHeaderIsNotLookedAt() {
        door = door(HttpRules.standard());

        assertThat(send(PAY.header(HEADER, "yesterday")).status()).isEqualTo(201);
    }

    @Test
    void anOldUuidOfVersion7IsGoneByDefault() {
        Message old = Message.post("/payments").json("{}").key(uuidV7(now.minus(Duration.ofHours(25))));

        assertThat(send(old).status()).isEqualTo(410);
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
        assertThat(send(Message.post("/payments").json("{}").key(uuidV7(now))).status())
                .isEqualTo(201);
    }

    @Test
    void aUuidOfVersion7FromTheFutureIsRefusedByDefault() {
        Message early = Message.post("/payments").json("{}").key(uuidV7(now.plus(Duration.ofHours(1))));

        assertThat(problem(send(early))).isEqualTo("future-dated");
        assertThat(effects).hasValue(0);
    }

    @Test
    void otherKindsOfKeyTimeMustBeAskedFor() {
        String ulidOfTheYear2016 = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
        Message message = Message.post("/payments").json("{}").key(ulidOfTheYear2016);
        HttpRules rules = HttpRules.standard();

        assertThat(send(door(rules.keyTime(KeyTime.UUID_V7_OR_ULID, Duration.ZERO)), message)
                        .status())
                .isEqualTo(410);
        assertThat(send(door(rules), message).status()).isEqualTo(201);
        Message old = Message.post("/payments").json("{}").key(uuidV7(now.minus(Duration.ofDays(3))));
        assertThat(send(door(rules.keyTime(KeyTime.NONE, Duration.ZERO)), old).status())
                .isEqualTo(201);
    }

    private static String date(Instant instant) {
        return HTTP_DATE.format(instant.atOffset(ZoneOffset.UTC));
    }

    private static String uuidV7(Instant time) {
        return new UUID(time.toEpochMilli() << 16 | 0x7000, 0x8000_0000_0000_0001L).toString();
    }
}
