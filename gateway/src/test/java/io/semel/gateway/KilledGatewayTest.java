// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class KilledGatewayTest {

    private static final int KEYS = 1000;

    @TempDir
    private Path directory;

    @Test
    void noEffectHappensTwiceAndEveryKeyHasItsAnswerOrSaysUnknown() throws Exception {
        try (KillRun run = new KillRun(directory, KEYS, 10, 5)) {
            run.run();

            assertThat(run.effects())
                    .hasSizeLessThanOrEqualTo(KEYS)
                    .allSatisfy((key, count) -> assertThat(count).isEqualTo(1));
            assertThat(run.answers())
                    .hasSize(KEYS)
                    .allSatisfy((key, answers) -> assertThat(answers).hasSize(1));
            run.answers().forEach((key, answers) -> assertThat(answers).containsAnyOf("UNKNOWN", "paid " + key));
            assertThat(run.unknown()).isLessThan(KEYS / 2);
        }
    }
}
