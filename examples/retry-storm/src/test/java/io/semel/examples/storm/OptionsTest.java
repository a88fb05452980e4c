// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

    @Test
    void withoutOptionsTheFixIsStormedForSixSeconds() {
        assertThat(Options.parse())
                .isEqualTo(new Options(Version.FIX, Long.MAX_VALUE, Duration.ofSeconds(6), 16, 1, false));
    }

    @Test
    void everythingCanBeChosen() {
        assertThat(Options.parse(
                        "--attempt", "half-fix", "--orders", "500", "--seconds", "3", "--threads", "4", "--seed", "-9"))
                .isEqualTo(new Options(Version.HALF_FIX, 500, Duration.ofSeconds(3), 4, -9, false));
    }

    @Test
    void ordersAloneAreNotCutOffByTime() {
        assertThat(Options.parse("--orders", "500").limit()).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void withoutSemelIsTheBug() {
        assertThat(Options.parse("--without-semel").version()).isEqualTo(Version.BUG);
        assertThat(Options.parse("--without-semel", "--attempt", "half-fix").version())
                .isEqualTo(Version.HALF_FIX);
    }

    @Test
    void helpIsAnOption() {
        assertThat(Options.parse("--help").help()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--order 5                    | There is no option '--order'.",
                "--orders                     | --orders needs a value.",
                "--orders many                | --orders needs a whole number, not 'many'.",
                "--orders 0                   | --orders is from 1 to 10000000, not 0.",
                "--threads 1001               | --threads is from 1 to 1000, not 1001.",
                "--seconds 99999999999999999999 | --seconds needs a whole number, not '99999999999999999999'.",
                "--attempt magic              | --attempt is bug, half-fix or fix, not 'magic'.",
                "--seed 1 --seed 2            | --seed is given twice.",
                "--without-semel --attempt fix | --attempt fix is Semel, so it cannot be --without-semel."
            })
    void wrongOptionsAreExplained(String line, String message) {
        assertThatThrownBy(() -> Options.parse(line.split(" ", -1)))
                .isInstanceOf(Options.Wrong.class)
                .hasMessage(message);
    }
}
