// SPDX-License-Identifier: Apache-2.0
package io.semel.seal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.UnreadableAnswer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AesGcmSealTest {

    @Test
    void theKeyToWriteWithMustBeAmongTheKeys() {
        assertThatThrownBy(() -> AesGcmSeal.of("b", Map.of("a", new byte[16])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'b'")
                .hasMessageContaining("[a]");
    }

    @Test
    void aKeyOfAWrongLengthIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> AesGcmSeal.of(
                        "a", Map.of("a", "secret-secret".getBytes(java.nio.charset.StandardCharsets.UTF_8))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("13 bytes")
                .hasMessageNotContaining("secret");
    }

    @Test
    void anIdThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> AesGcmSeal.of("", Map.of("", new byte[16]))).hasMessageContaining("1 to 255");
    }

    @Test
    void whatIsTooShortToBeSealedIsAClearError() {
        AesGcmSeal seal = AesGcmSeal.of("a", Map.of("a", new byte[16]));

        assertThatThrownBy(() -> seal.open(new byte[0], new byte[0])).isInstanceOf(UnreadableAnswer.class);
        assertThatThrownBy(() -> seal.open(new byte[] {1, 'a', 3}, new byte[0])).isInstanceOf(UnreadableAnswer.class);
    }
}
