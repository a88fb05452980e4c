// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.http.internal.field.MalformedField;
import io.semel.http.internal.field.StructuredItem;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyDialectFuzzTest {

    private static final int ROUNDS = 20_000;
    private static final String SPICE =
            "\"\\;=*?@:%()', \t-.0123456789abcxyzABC_/+~<>{}[]\u0000\u007f\u00e9\u20ac\ud800";
    private static final String RAW = "ABCXYZabcxyz019._~:+/=-";

    @ParameterizedTest
    @EnumSource
    void whateverComesIsAKeyOrATypedRefusal(KeyDialect dialect) {
        Random random = new Random(20261115);
        for (int i = 0; i < ROUNDS; i++) {
            String line = line(random);
            KeyField field = dialect.read(List.of(line), 255);
            if (field instanceof KeyField.Present present) {
                assertThat(present.key())
                        .as(line)
                        .isNotEmpty()
                        .hasSizeLessThanOrEqualTo(255)
                        .matches("[ -~]+");
            } else {
                assertThat(field).as(line).isInstanceOf(KeyField.Malformed.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsQuotedComesBackUnquoted(long seed) throws MalformedField {
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            String text = text(random, 1 + random.nextInt(40), ' ', '~');
            String quoted = "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
            assertThat(StructuredItem.string(quoted)).isEqualTo(text);
            assertThat(KeyDialect.LENIENT.read(List.of(quoted))).isEqualTo(new KeyField.Present(text));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void rawKeysMeanTheSameQuotedAndUnquoted(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = 1 + random.nextInt(40); n > 0; n--) {
                text.append(RAW.charAt(random.nextInt(RAW.length())));
            }
            KeyField key = new KeyField.Present(text.toString());
            assertThat(KeyDialect.RAW.read(List.of(text.toString()))).isEqualTo(key);
            assertThat(KeyDialect.LENIENT.read(List.of(text.toString()))).isEqualTo(key);
            assertThat(KeyDialect.LENIENT.read(List.of("\"" + text + "\""))).isEqualTo(key);
        }
    }

    private static String line(Random random) {
        StringBuilder line = new StringBuilder(random.nextBoolean() ? "\"k\"" : "");
        for (int n = random.nextInt(12); n > 0; n--) {
            line.append(SPICE.charAt(random.nextInt(SPICE.length())));
        }
        return line.toString();
    }

    private static String text(Random random, int length, char from, char to) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) (from + random.nextInt(to - from + 1)));
        }
        return text.toString();
    }
}
