// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

class BootVersionTest {

    @Test
    void anOlderBootIsToldWhatIsNeeded() {
        assertThatThrownBy(() -> BootVersion.check("3.5.16"))
                .isInstanceOf(Misuse.class)
                .hasMessageContaining("made for Spring Boot 4")
                .hasMessageContaining("has 3.5.16")
                .hasMessageContaining("Use Spring Boot 4.1 or later");
        for (String fine : new String[] {"4.1.1", "4.2.0-RC1", "10.0", null}) {
            assertThatCode(() -> BootVersion.check(fine)).doesNotThrowAnyException();
        }
    }

    @Test
    void itIsAskedBeforeAnythingElseIsMade() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(ApplicationContextInitializer.class))
                .hasAtLeastOneElementOfType(BootVersion.class);
    }
}
