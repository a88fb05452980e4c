// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.spring.internal.setup.BootVersionCheck;
import io.semel.spring.internal.setup.InvalidSetup;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

class BootVersionTest {

    @Test
    void anOlderBootIsToldWhatIsNeeded() {
        assertThatThrownBy(() -> BootVersionCheck.check("3.5.16"))
                .isInstanceOf(InvalidSetup.class)
                .hasMessageContaining("requires Spring Boot 4")
                .hasMessageContaining("uses 3.5.16")
                .hasMessageContaining("Upgrade to Spring Boot 4.1 or later");
        for (String fine : new String[] {"4.1.1", "4.2.0-RC1", "10.0", null}) {
            assertThatCode(() -> BootVersionCheck.check(fine)).doesNotThrowAnyException();
        }
    }

    @Test
    void itIsAskedBeforeAnythingElseIsMade() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(ApplicationContextInitializer.class))
                .hasAtLeastOneElementOfType(BootVersionCheck.class);
    }
}
