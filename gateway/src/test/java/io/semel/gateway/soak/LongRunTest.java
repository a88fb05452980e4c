// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LongRunTest {

    @TempDir
    private Path directory;

    /** The short form of what runs for hours by hand. */
    @Test
    @Timeout(180)
    void nothingIsCarriedOutTwiceAndNobodyGetsAnothersAnswer() throws Exception {
        try (LongRun run = new LongRun(directory, 100)) {
            run.run(Duration.ofSeconds(15), Duration.ofSeconds(1), Duration.ofSeconds(4), Duration.ofSeconds(6));

            assertThat(run.carriedOutTwice()).isEmpty();
            assertThat(run.payers().wrong()).isEmpty();
            assertThat(run.payers().answered()).as(run.summary()).isPositive();
            assertThat(run.samples().all())
                    .allSatisfy(sample -> assertThat(sample.threads()).isLessThan(150));
        }
    }
}
