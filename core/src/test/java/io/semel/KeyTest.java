// SPDX-License-Identifier: Apache-2.0
package io.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTest {

    @Test
    void anEmptyPartIsRefused() {
        assertThatThrownBy(() -> Key.of("", "id"))
                .isInstanceOf(MalformedKey.class)
                .hasMessageContaining("scope");
        assertThatThrownBy(() -> Key.of("scope", ""))
                .isInstanceOf(MalformedKey.class)
                .hasMessageContaining("id");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\u00e9", "\u20ac", "\ud83d\ude00"})
    void theBoundCountsBytesNotCharacters(String character) {
        int bytes = character.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        String longest = character.repeat(Key.MAX_BYTES / bytes);

        assertThat(Key.of("s", longest).id()).isEqualTo(longest);
        assertThatThrownBy(() -> Key.of("s", longest + character))
                .isInstanceOf(MalformedKey.class)
                .hasMessageContaining("at most 1024");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "\ude00", "x\ud83dy", "\ude00\ud83d"})
    void halfASurrogatePairIsRefusedBecauseTwoKeysWouldBecomeOne(String half) {
        assertThatThrownBy(() -> Key.of("s", half))
                .isInstanceOf(MalformedKey.class)
                .hasMessageContaining("surrogate");
    }

    @Test
    void differentListsOfPartsNeverGiveTheSameScope() {
        List<String> scopes = List.of(
                Key.scope("a", "b"),
                Key.scope("a/b"),
                Key.scope("a~1b"),
                Key.scope("a", "", "b"),
                Key.scope("a", "b", ""),
                Key.scope("a", "~e", "b"),
                Key.scope("ab"));

        assertThat(scopes.stream().collect(Collectors.toSet())).hasSameSizeAs(scopes);
    }

    @Test
    void theHashIsTheSameForever() {
        assertThat(HexFormat.of().formatHex(Key.of("payments", "order-17").hash()))
                .isEqualTo("33dacb57557e522605d1097acb32e9f7");
    }

    @Test
    void theHashKeepsScopeAndIdApart() {
        assertThat(Key.of("a", "bc").hash()).isNotEqualTo(Key.of("ab", "c").hash());
    }

    @Test
    void aHostileKeyCannotForgeALogLine() {
        assertThat(Key.of("s", "x\r\nERROR \u001b[31m\u2028\u202e").toString())
                .isEqualTo("s/x\\u000d\\u000aERROR \\u001b[31m\\u2028\\u202e");
    }
}
