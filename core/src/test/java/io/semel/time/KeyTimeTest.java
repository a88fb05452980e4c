// SPDX-License-Identifier: Apache-2.0
package io.semel.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTimeTest {

    @Test
    void readsTheTimeOfTheExampleInRfc9562() {
        assertThat(KeyTime.UUID_V7.of("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"))
                .contains(Instant.parse("2022-02-22T19:22:22Z"));
    }

    @Test
    void readsTheTimeOfAUlidInEitherCase() {
        assertThat(KeyTime.UUID_V7_OR_ULID.of("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
                .contains(Instant.ofEpochMilli(1469922850259L));
        assertThat(KeyTime.UUID_V7_OR_ULID.of("01arz3ndektsv4rrffq69g5fav"))
                .contains(Instant.ofEpochMilli(1469922850259L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "919108f7-52d1-4320-9bac-f847db4148a8",
                "017F22E2-79B0-7CC3-08C4-DC0C0C07398F",
                "017F22E2-79B0-7CC3-98C4-DC0C0C07398",
                "017F22E2x79B0-7CC3-98C4-DC0C0C07398F",
                "017F22G2-79B0-7CC3-98C4-DC0C0C07398F",
                "\u0660\u0661\u0667F22E2-79B0-7CC3-98C4-DC0C0C0739",
                "order-17",
                "81ARZ3NDEKTSV4RRFFQ69G5FAV",
                "01ARZ3NDEKTSV4RRFFQ69G5FAU"
            })
    void whatCarriesNoTimeHasNone(String id) {
        assertThat(KeyTime.UUID_V7_OR_ULID.of(id)).isEmpty();
    }

    @Test
    void aUlidIsNotReadUnlessAskedFor() {
        assertThat(KeyTime.UUID_V7.of(KeyTime.ulid())).isEmpty();
        assertThat(KeyTime.NONE.of(KeyTime.uuidV7())).isEmpty();
    }

    @Test
    void aNewIdCarriesTheTimeOfItsMaking() {
        Instant before = Instant.now().minus(Duration.ofSeconds(5));

        for (String id : new String[] {KeyTime.uuidV7(), KeyTime.ulid()}) {
            assertThat(KeyTime.UUID_V7_OR_ULID.of(id).orElseThrow())
                    .isBetween(before, Instant.now().plusSeconds(5));
        }
    }

    @Test
    void newIdsAreDifferentAndUuidsSortInTheOrderOfTheirMaking() {
        Set<String> seen = new HashSet<>();
        String last = "";
        for (int i = 0; i < 10_000; i++) {
            String id = KeyTime.uuidV7();
            assertThat(id).isGreaterThan(last);
            assertThat(seen.add(id)).isTrue();
            assertThat(seen.add(KeyTime.ulid())).isTrue();
            last = id;
        }
        assertThat(UUID.fromString(last).version()).isEqualTo(7);
        assertThat(UUID.fromString(last).variant()).isEqualTo(2);
    }
}
