// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Codec;
import io.semel.UnreadableAnswer;
import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerCodecTest {

    private static final Codec<Answer> CODEC = Answer.codec();
    private static final Answer CREATED = new Answer(
            201,
            List.of(
                    new Header("Content-Type", "application/json"),
                    new Header("Location", "/payments/17"),
                    new Header("Link", "</a>; rel=a"),
                    new Header("Link", "</b>; rel=b"),
                    new Header("Content-Disposition", "attachment; filename=\"\u00fcber.pdf\"")),
            "{\"paid\":true,\"note\":\"\u20ac\"}".getBytes(UTF_8));
    private static final Answer EMPTY = Answer.of(204, new byte[0]);
    private static final Answer LONG =
            Answer.of(999, new byte[] {0, 1, 127, -128, -1}).with("ETag", "x".repeat(200));

    @Test
    void answersComeBackAsTheyWere() {
        for (Answer answer : List.of(CREATED, EMPTY, LONG)) {
            assertThat(CODEC.decode(CODEC.encode(answer))).isEqualTo(answer);
        }
    }

    @ParameterizedTest
    @CsvSource({"created", "empty", "long"})
    void goldenAnswersStayReadableAndAreWhatIsWrittenToday(String name) throws IOException {
        Answer answer = name.equals("created") ? CREATED : name.equals("empty") ? EMPTY : LONG;

        assertThat(CODEC.decode(golden(name))).isEqualTo(answer);
        assertThat(CODEC.encode(answer)).isEqualTo(golden(name));
    }

    @Test
    void whatIsCutOffIsUnreadableUpToTheBody() {
        byte[] stored = CODEC.encode(CREATED);
        int head = stored.length - CREATED.body().length;
        for (int length = 0; length < head; length++) {
            byte[] cut = Arrays.copyOf(stored, length);
            assertThatThrownBy(() -> CODEC.decode(cut)).isInstanceOf(UnreadableAnswer.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // nothing
                "02c80100", // another format
                "00c80100",
                "01", // no status
                "0100", // status 0
                "016400", // status 100
                "01e80700", // status 1000
                "01c801", // no number of lines
                "01c801ffffffff07", // two thousand million lines
                "01c801ffffffffff", // a number without an end
                "01c801ffffffff0f", // a negative number
                "01c8018080808010", // a number of more than 31 bits
                "01c80180808080800000", // a number of too many bytes
                "01c8018000", // a number with a needless byte
                "01c80101", // a line that is not there
                "01c80101ffffffff074100", // a name of two gibibytes
                "01c801010141ffffffff07", // a value of two gibibytes
                "01c801010000", // a line without a name
                "01c80101024120024142", // a name with a space
                "01c80101014103010d0a", // a value with a line break
                "01c80101014101ff", // not UTF-8
                "01c801010141010d",
                "01c8010101410100",
            })
    void hostileBytesAreUnreadable(String hex) {
        byte[] hostile = HexFormat.of().parseHex(hex);

        assertThatThrownBy(() -> CODEC.decode(hostile)).isInstanceOf(UnreadableAnswer.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomBytesAreAnAnswerOrUnreadable(long seed) {
        Random random = new Random(seed);
        byte[] template = CODEC.encode(CREATED);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = template.clone();
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                Answer answer = CODEC.decode(bytes);
                assertThat(answer.headers()).allMatch(ReplayedHeaders::canBeSent);
            } catch (UnreadableAnswer e) {
                assertThat(e).hasMessageStartingWith("A stored HTTP answer is damaged: ");
            }
        }
    }

    @Test
    void onlyFinalStatusesAreAnswers() {
        for (int status : new int[] {-1, 0, 100, 199, 1000}) {
            assertThatThrownBy(() -> Answer.of(status, new byte[0])).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void anAnswerInAMessageShowsNeitherBodyNorHeaders() {
        assertThat(CREATED).hasToString("Answer[201, 5 header lines, 26 bytes]");
    }

    @Test
    void answersAreEqualByContent() {
        assertThat(Answer.of(200, new byte[] {1})).isEqualTo(Answer.of(200, new byte[] {1}));
        assertThat(Answer.of(200, new byte[] {1})).hasSameHashCodeAs(Answer.of(200, new byte[] {1}));
        assertThat(Answer.of(200, new byte[] {1})).isNotEqualTo(Answer.of(200, new byte[] {2}));
        assertThat(CREATED.header("LINK")).hasValue("</a>; rel=a");
        assertThat(CREATED.header("Date")).isEmpty();
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream in = AnswerCodecTest.class.getResourceAsStream("/golden/http-answer-1/" + name + ".hex")) {
            String hex = new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
            return HexFormat.of().parseHex(hex.strip());
        }
    }
}
