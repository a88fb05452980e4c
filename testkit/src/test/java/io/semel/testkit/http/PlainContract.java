// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The contract around a plain door with the fault that was chosen last. */
class PlainContract extends HttpContract {

    private static volatile @Nullable Fault next;

    private final @Nullable Fault fault = next;
    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(64 << 20, time);
    private final ScriptedService service = new ScriptedService();

    static void choose(@Nullable Fault fault) {
        next = fault;
    }

    @Override
    protected ContractServer start(HttpSetting setting) throws IOException {
        return new PlainServer(store, time, service, setting, fault);
    }

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected void elapse(Duration span) {
        time.advance(span);
    }

    @Override
    protected LeftOut leftOut() {
        return LeftOut.nothing()
                .settings(
                        "a plain door compares bytes and takes no times",
                        HttpSetting.JSON_BY_MEANING,
                        HttpSetting.FORMS_BY_PARTS,
                        HttpSetting.FIRST_SENT)
                .cases("the JDK's server makes spaces of tabs", 8)
                .tests(
                        "a plain door reads no times in keys",
                        "aDatedKeyFromBeforeTheWindowIsGone",
                        "aDatedKeyFromTheFutureIsRefused");
    }
}
