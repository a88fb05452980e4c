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
        for (String old : new String[] {"3.4.9", "2.7.18", "1.5"}) {
            assertThatThrownBy(() -> BootVersionCheck.check(old, true))
                    .isInstanceOf(InvalidSetup.class)
                    .hasMessageContaining("require Spring Boot 3.5 or 4")
                    .hasMessageContaining("uses " + old)
                    .hasMessageContaining("Upgrade Spring Boot");
        }
    }

    @Test
    void theStarterOfTheOtherBootIsReplaced() {
        assertThatThrownBy(() -> BootVersionCheck.check("3.5.16", false))
                .isInstanceOf(InvalidSetup.class)
                .hasMessageContaining("uses 3.5.16. Replace it by semel-spring-boot3-starter.");
        assertThatThrownBy(() -> BootVersionCheck.check("4.1.1", true))
                .isInstanceOf(InvalidSetup.class)
                .hasMessageContaining("uses 4.1.1. Replace it by semel-spring-boot-starter.");
    }

    @Test
    void eachBootStartsWithItsStarter() {
        for (String fine : new String[] {"4.0.0", "4.1.1", "4.2.0-RC1", "10.0", null}) {
            assertThatCode(() -> BootVersionCheck.check(fine, false)).doesNotThrowAnyException();
        }
        for (String fine : new String[] {"3.5.0", "3.5.16", "3.6.0"}) {
            assertThatCode(() -> BootVersionCheck.check(fine, true)).doesNotThrowAnyException();
        }
    }

    @Test
    void itIsAskedBeforeAnythingElseIsMade() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(ApplicationContextInitializer.class))
                .hasAtLeastOneElementOfType(BootVersionCheck.class);
    }
}
