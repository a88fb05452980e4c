// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypeTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "application/json | application/json",
                "APPLICATION/JSON | application/json",
                "' application/json ' | application/json",
                "application/json; | application/json",
                "application/json;;charset=utf-8 | application/json;charset=5:utf-8",
                "application/json ; charset=UTF-8 | application/json;charset=5:utf-8",
                "text/plain;Charset=\"utf-8\" | text/plain;charset=5:utf-8",
                "multipart/form-data; boundary=\"a b\\\"c\" | multipart/form-data;boundary=5:a b\"c",
            })
    void spellingsThatMeanTheSameAreOne(String spelling, String canonical) {
        assertThat(MediaType.of(List.of(spelling)).without("")).isEqualTo(canonical);
    }

    @Test
    void valuesOfParametersKeepTheirCaseExceptCharsets() {
        assertThat(MediaType.of(List.of("a/b;version=A")).without(""))
                .isNotEqualTo(MediaType.of(List.of("a/b;version=a")).without(""));
    }

    @Test
    void noValueCanBeTakenForAnotherParameter() {
        assertThat(MediaType.of(List.of("a/b;x=\"1;y=1:2\"")).without(""))
                .isNotEqualTo(MediaType.of(List.of("a/b;x=1;y=2")).without(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "json",
                "/json",
                "application/",
                "a/b/c",
                "a/b c",
                "a /b",
                "a/b;x",
                "a/b;x=",
                "a/b;=1",
                "a/b;x=1;x=2",
                "a/b;x=\"1",
                "a/b, c/d",
                "\u00e9/b",
                "a/b;x=\"1\"2"
            })
    void whatIsNoMediaTypeIsNone(String text) {
        assertThat(MediaType.of(List.of(text))).isNull();
    }

    @Test
    void twoMediaTypesAreNone() {
        assertThat(MediaType.of(List.of("a/b", "a/b"))).isNull();
        assertThat(MediaType.of(List.of())).isNull();
    }

    @Test
    void jsonAndMultipartAreRecognised() {
        assertThat(MediaType.of(List.of("application/problem+json")).isJson()).isTrue();
        assertThat(MediaType.of(List.of("Application/Json")).isJson()).isTrue();
        assertThat(MediaType.of(List.of("text/json")).isJson()).isFalse();
        assertThat(MediaType.of(List.of("MULTIPART/mixed")).isMultipart()).isTrue();
    }
}
