// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import io.semel.session.MemorySessions;
import org.junit.jupiter.api.Test;

class MemorySessionsSoakTest {

    @Test
    void sessionsComeBackToWhereTheyWere() throws Exception {
        new SessionTraffic(new MemorySessions(1000)).soak("memory sessions").run();
    }
}
