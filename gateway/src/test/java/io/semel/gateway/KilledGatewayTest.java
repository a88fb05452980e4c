// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class KilledGatewayTest {

    @TempDir
    private Path directory;

    @Test
    void noEffectHappensTwiceAndEveryKeyHasItsAnswerOrSaysUnknown() throws Exception {
        try (KillRun run = new KillRun(directory, 200, 5, 3)) {
            run.run();

            assertThat(run.effects())
                    .hasSizeLessThanOrEqualTo(200)
                    .allSatisfy((key, count) -> assertThat(count).isEqualTo(1));
            assertThat(run.answers())
                    .hasSize(200)
                    .allSatisfy((key, answers) -> assertThat(answers).hasSize(1));
            run.answers().forEach((key, answers) -> assertThat(answers).containsAnyOf("UNKNOWN", "paid " + key));
            assertThat(run.unknown()).isLessThan(200);
        }
    }
}
