// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import io.semel.store.Store;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** The servers under test, one of each setting for all tests, and more for those that cut or kill theirs. */
final class Servers implements AutoCloseable {

    private final HttpContract contract;
    private final Map<HttpSetting, ContractServer> shared = new EnumMap<>(HttpSetting.class);

    Servers(HttpContract contract) {
        this.contract = contract;
    }

    ContractServer at(HttpSetting setting) {
        return shared.computeIfAbsent(setting, this::start);
    }

    ContractServer start(HttpSetting setting) {
        try {
            return contract.start(setting);
        } catch (Exception e) {
            throw new IllegalStateException("No server with " + setting + " could be started.", e);
        }
    }

    Store store() {
        return contract.store();
    }

    void elapse(Duration span) {
        contract.elapse(span);
    }

    @Override
    public void close() {
        shared.values().forEach(ContractServer::close);
        shared.clear();
    }
}
