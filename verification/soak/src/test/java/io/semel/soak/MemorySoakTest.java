// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import io.semel.memory.MemoryStore;
import org.junit.jupiter.api.Test;

class MemorySoakTest {

    @Test
    void theEngineAndTheMemoryStoreComeBackToWhereTheyWere() throws Exception {
        new KeyTraffic(new MemoryStore()).soak("memory").run();
    }
}
