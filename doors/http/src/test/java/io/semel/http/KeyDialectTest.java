// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static io.semel.http.KeyDialect.IETF;
import static io.semel.http.KeyDialect.LENIENT;
import static io.semel.http.KeyDialect.RAW;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.http.KeyField.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyDialectTest {

    private static final String UUID = "8e03978e-40d5-43e8-bc93-6894a57f9324";

    @Test
    void case1_aQuotedUuidIsTheKeyWithoutItsQuotes() {
        assertThat(IETF.read(List.of("\"" + UUID + "\""))).isEqualTo(key(UUID));
    }

    @Test
    void case2_anUnquotedUuidThatStartsWithADigitIsRefusedByTheStrictDialect() {
        assertThat(fault(IETF.read(List.of(UUID)))).isEqualTo(Fault.WRONG_TYPE);
    }

    @Test
    void case3_anUnquotedUuidThatStartsWithALetterIsATokenAndRefused() {
        assertThat(fault(IETF.read(List.of("ae03978e-40d5-43e8-bc93-6894a57f9324"))))
                .isEqualTo(Fault.WRONG_TYPE);
    }

    @Test
    void case4_quotedAndUnquotedSpellingsAreOneKeyInTheLenientDialect() {
        assertThat(LENIENT.read(List.of(UUID))).isEqualTo(LENIENT.read(List.of("\"" + UUID + "\"")));
    }

    @ParameterizedTest
    @EnumSource
    void case5_anEmptyStringIsRefusedInEveryDialect(KeyDialect dialect) {
        assertThat(dialect.read(List.of("\"\""))).isInstanceOf(KeyField.Malformed.class);
        assertThat(fault(dialect.read(List.of("")))).isEqualTo(Fault.EMPTY);
        assertThat(fault(dialect.read(List.of("   ")))).isEqualTo(Fault.EMPTY);
        assertThat(fault(LENIENT.read(List.of("\"\"")))).isEqualTo(Fault.EMPTY);
        assertThat(fault(IETF.read(List.of("\"\"")))).isEqualTo(Fault.EMPTY);
    }

    @Test
    void case6_escapedQuotesAndBackslashesAreUnescaped() {
        assertThat(IETF.read(List.of("\"a\\\"b\\\\c\""))).isEqualTo(key("a\"b\\c"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a\\,b\"", "\"abc", "\"abc\\", "'abc'", "\"", "\"\\\"", "abc\"", "\"\\n\""})
    void case7_brokenStringsAreRefused(String line) {
        assertThat(IETF.read(List.of(line))).isInstanceOf(KeyField.Malformed.class);
        assertThat(LENIENT.read(List.of(line))).isInstanceOf(KeyField.Malformed.class);
    }

    @Test
    void case8_nothingButVisibleAsciiStandsInAString() {
        for (char c = 0; c < 0x200; c++) {
            KeyField field = IETF.read(List.of("\"a" + c + "b\""));
            boolean allowed = c >= 0x20 && c <= 0x7e && c != '"' && c != '\\';
            assertThat(field.equals(key("a" + c + "b"))).as("U+%04X", (int) c).isEqualTo(allowed);
            assertThat(field instanceof KeyField.Malformed)
                    .as("U+%04X", (int) c)
                    .isEqualTo(!allowed);
        }
    }

    @Test
    void case9_spacesAroundTheItemAreDroppedAndAnythingElseIsRefused() {
        assertThat(IETF.read(List.of(" \"abc\" "))).isEqualTo(key("abc"));
        assertThat(IETF.read(List.of("   \"abc\""))).isEqualTo(key("abc"));
        assertThat(fault(IETF.read(List.of("\"abc\" x")))).isEqualTo(Fault.SYNTAX);
        assertThat(fault(IETF.read(List.of("\"abc\",")))).isEqualTo(Fault.SYNTAX);
        assertThat(fault(IETF.read(List.of("\t\"abc\"")))).isEqualTo(Fault.SYNTAX);
    }

    @Test
    void case10_parametersTakeNoPartInEquality() {
        assertThat(IETF.read(List.of("\"abc\";v=1;x"))).isEqualTo(key("abc"));
        assertThat(LENIENT.read(List.of("\"abc\";v=1;x"))).isEqualTo(key("abc"));
    }

    @Test
    void case11_aDanglingSemicolonIsRefused() {
        assertThat(fault(IETF.read(List.of("\"abc\";")))).isEqualTo(Fault.SYNTAX);
        assertThat(fault(IETF.read(List.of("\"abc\"; ")))).isEqualTo(Fault.SYNTAX);
        assertThat(fault(IETF.read(List.of("\"abc\" ;v")))).isEqualTo(Fault.SYNTAX);
    }

    @ParameterizedTest
    @EnumSource
    void case12_twoFieldLinesAreRefused(KeyDialect dialect) {
        assertThat(fault(dialect.read(List.of("\"a\"", "\"b\"")))).isEqualTo(Fault.REPEATED);
        assertThat(fault(dialect.read(List.of("a", "b")))).isEqualTo(Fault.REPEATED);
        assertThat(fault(dialect.read(List.of("", "b")))).isEqualTo(Fault.REPEATED);
    }

    @ParameterizedTest
    @EnumSource
    void case13_twoFieldLinesOfTheSameValueAreRefusedToo(KeyDialect dialect) {
        assertThat(fault(dialect.read(List.of("\"a\"", "\"a\"")))).isEqualTo(Fault.REPEATED);
    }

    @ParameterizedTest
    @EnumSource
    void case14_twoKeysInOneLineAreRefused(KeyDialect dialect) {
        assertThat(dialect.read(List.of("\"a\", \"b\""))).isInstanceOf(KeyField.Malformed.class);
        assertThat(dialect.read(List.of("a, b"))).isInstanceOf(KeyField.Malformed.class);
        assertThat(dialect.read(List.of("a,b"))).isInstanceOf(KeyField.Malformed.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"LENIENT", "IETF"})
    void case15_theLimitCountsCharactersAfterUnescaping(KeyDialect dialect) {
        assertThat(dialect.read(List.of("\"" + "\\\\".repeat(255) + "\""), 255)).isEqualTo(key("\\".repeat(255)));
        assertThat(fault(dialect.read(List.of("\"" + "\\\\".repeat(256) + "\""), 255)))
                .isEqualTo(Fault.TOO_LONG);
        assertThat(fault(dialect.read(List.of("\"" + "x".repeat(256) + "\""), 255)))
                .isEqualTo(Fault.TOO_LONG);
    }

    @ParameterizedTest
    @EnumSource
    void case16_withoutALimitAThousandCharactersAreAKey(KeyDialect dialect) {
        String text = "k".repeat(1024);
        assertThat(dialect.read(List.of(dialect == RAW ? text : "\"" + text + "\"")))
                .isEqualTo(key(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"@1659578233", ":YWJj:", "?1", "12", "(\"a\")", "-1.5", "%\"a\"", "*a", "abc"})
    void case17_itemsOfOtherTypesAreRefused(String line) {
        assertThat(fault(IETF.read(List.of(line)))).isEqualTo(Fault.WRONG_TYPE);
    }

    @Test
    void case18_keysDifferByCase() {
        assertThat(LENIENT.read(List.of("abc"))).isNotEqualTo(LENIENT.read(List.of("ABC")));
    }

    @Test
    void noFieldLineIsNoKey() {
        assertThat(LENIENT.read(List.of())).isEqualTo(new KeyField.Absent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "AZaz09._~:+/=-", "evt_1NG8Du2eZvKYlo2C", "YWJj==", "2026-11-15T10:00:00Z+1"})
    void rawKeysAreTakenAsTheyAre(String text) {
        assertThat(RAW.read(List.of(text))).isEqualTo(key(text));
        assertThat(LENIENT.read(List.of(" " + text + "\t"))).isEqualTo(key(text));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {"a b", "a;b", "`a,b`", "a\"b", "{a}", "a'b", "a\\b", "a|b", "a%20b", "a@b", "a*b", "<a>"})
    void rawKeysHaveNoOtherCharacters(String text) {
        assertThat(fault(RAW.read(List.of(text)))).isEqualTo(Fault.SYNTAX);
        assertThat(fault(LENIENT.read(List.of(text)))).isEqualTo(Fault.SYNTAX);
    }

    @Test
    void rawKeysAreAsciiWithoutControlCharacters() {
        for (char c : new char[] {0, 7, '\n', '\r', 0x7f, 0x80, 0xe9, 0x130, 0x131, 0x212a, 0xd800, 0xffff}) {
            assertThat(fault(RAW.read(List.of("a" + c + "b")))).isEqualTo(Fault.SYNTAX);
            assertThat(fault(LENIENT.read(List.of("a" + c)))).isEqualTo(Fault.SYNTAX);
        }
    }

    @Test
    void theDetailNeverRepeatsWhatWasSent() {
        KeyField.Malformed malformed = (KeyField.Malformed) LENIENT.read(List.of("<script>"));

        assertThat(malformed.detail()).doesNotContain("<").contains("U+003C");
    }

    private static KeyField key(String text) {
        return new KeyField.Present(text);
    }

    private static Fault fault(KeyField field) {
        assertThat(field).isInstanceOf(KeyField.Malformed.class);
        return ((KeyField.Malformed) field).fault();
    }
}
