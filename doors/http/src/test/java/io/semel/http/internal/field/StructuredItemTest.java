// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our own cases for the algorithms of section 4.2 of RFC 9651, as far as a string item with parameters meets them. */
class StructuredItemTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";a",
                ";*",
                ";*a",
                ";a-b_c.d*e9",
                "; a",
                ";   a;  b",
                ";a;a",
                ";a=1",
                ";a=0",
                ";a=-0",
                ";a=00012",
                ";a=999999999999999",
                ";a=-999999999999999",
                ";a=1.5",
                ";a=-0.125",
                ";a=123456789012.123",
                ";a=\"\"",
                ";a=\"x;y=\\\"z\\\"\"",
                ";a=token",
                ";a=*token",
                ";a=Token/with:all!#$%&'*+-.^_`|~0",
                ";a=::",
                ";a=:YQ==:",
                ";a=:YQ:",
                ";a=:YWJj:",
                ";a=:+/+/:",
                ";a=?0",
                ";a=?1",
                ";a=@0",
                ";a=@-1",
                ";a=@1659578233",
                ";a=%\"\"",
                ";a=%\"plain\"",
                ";a=%\"f%c3%bc%c3%bc\"",
                ";a=%\"%f0%9f%98%80\"",
                ";a=1;b=\"2\";c=?0;d",
            })
    void parametersOfEveryTypeAreReadAndDropped(String parameters) throws MalformedField {
        assertThat(StructuredItem.string("\"k\"" + parameters)).isEqualTo("k");
        assertThat(StructuredItem.string("  \"k\"" + parameters + "  ")).isEqualTo("k");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";",
                ";;a",
                ";A",
                ";1a",
                ";-a",
                ";_a",
                ";=1",
                ";a=",
                ";a= 1",
                ";a =1",
                ";a=1 ;b",
                ";\ta",
                ";a=1a",
                ";a=-",
                ";a=--1",
                ";a=1000000000000000",
                ";a=1.",
                ";a=.5",
                ";a=-.5",
                ";a=1.2345",
                ";a=1234567890123.1",
                ";a=1.2.3",
                ";a=1e5",
                ";a=\"x",
                ";a=\"\\x\"",
                ";a=\"\u00e9\"",
                ";a=to,ken",
                ";a=:YQ",
                ";a=:Y:",
                ";a=:Y Q=:",
                ";a=:YQ=:",
                ";a=:Y_-Q:",
                ";a=:=:",
                ";a=?",
                ";a=?2",
                ";a=?true",
                ";a=@",
                ";a=@1.5",
                ";a=@x",
                ";a=%",
                ";a=%x",
                ";a=%\"x",
                ";a=%\"%\"",
                ";a=%\"%4\"",
                ";a=%\"%4A\"",
                ";a=%\"%c3\"",
                ";a=%\"%ff%ff\"",
                ";a=%\"\u00fc\"",
                ";a=(1 2)",
                ";a=<",
                ";a=1,b",
                ";a=1\u0000",
                ";\u00e9",
            })
    void brokenParametersMakeTheWholeFieldMalformed(String parameters) {
        assertThatThrownBy(() -> StructuredItem.string("\"k\"" + parameters)).isInstanceOf(MalformedField.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\"",
                "\"\\\"",
                "\"\\",
                "\"a\"\"b\"",
                "\"a\"b",
                "\"a\" \"b\"",
                "\"a\",\"b\"",
                "\"a\"\t",
                "\u00a0\"a\"",
                "'a'",
                "\u201ca\u201d",
                "{a}",
                "[a]",
                "=",
                ",",
                ";a",
                "<a>",
                "!a",
                "/a",
                "\u0000",
                "\\\"a\\\"",
                "(",
                "()",
                "(\"a\" \"b\");c",
                "12",
                "-1",
                "1.5",
                "12x",
                "tok",
                "*",
                ":YWI=:",
                ":",
                "?0",
                "?",
                "@1",
                "@",
                "%\"a\"",
                "%",
            })
    void whatIsNotAStringIsRefused(String field) {
        assertThatThrownBy(() -> StructuredItem.string(field)).isInstanceOf(MalformedField.class);
    }

    @ParameterizedTest
    @CsvSource({"@0, 0", "@-5, -5", "' @1659578233 ', 1659578233", "@999999999999999, 999999999999999", "@1;a=2, 1"})
    void datesAreRead(String field, long seconds) throws MalformedField {
        assertThat(StructuredItem.date(field)).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "@", "@1.0", "@1000000000000000", "@x", "@1 2", "\"@1\"", "@ 1"})
    void whatIsNotADateIsRefused(String field) {
        assertThatThrownBy(() -> StructuredItem.date(field)).isInstanceOf(MalformedField.class);
    }
}
