// SPDX-License-Identifier: Apache-2.0
package io.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    @Test
    void isTheFirstHalfOfSha256() {
        assertThat(Fingerprint.of("abc".getBytes(StandardCharsets.US_ASCII)).toString())
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223");
    }

    @Test
    void theBordersBetweenPartsCount() {
        assertThat(Fingerprint.of("ab", "c")).isNotEqualTo(Fingerprint.of("a", "bc"));
        assertThat(Fingerprint.of("ab", "")).isNotEqualTo(Fingerprint.of("ab"));
    }

    @Test
    void comesBackFromItsBytes() {
        Fingerprint print = Fingerprint.of("POST", "/payments");

        assertThat(Fingerprint.ofDigest(print.toBytes())).isEqualTo(print);
    }

    @Test
    void aShortDigestIsRefused() {
        assertThatThrownBy(() -> Fingerprint.ofDigest(new byte[15])).hasMessageContaining("15");
    }
}
