// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.semel.memory.MemoryStore;
import io.semel.store.Store;

class MemoryContractTest extends GatewayContract {

    private final MemoryStore store = new MemoryStore(64 << 20, time);

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected String title() {
        return "gateway in memory";
    }
}
