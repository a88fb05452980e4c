// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Engine;
import io.semel.Operation;
import io.semel.WhenAbandoned;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.memory.MemoryStore;
import jakarta.servlet.FilterConfig;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** A filter says at its start what becomes of calls whose holder fell silent. */
class StartTest {

    private final FilterConfig config = (FilterConfig) Proxy.newProxyInstance(
            FilterConfig.class.getClassLoader(),
            new Class<?>[] {FilterConfig.class},
            (proxy, method, arguments) -> null);

    @Test
    void theStartSaysWhichPolicyHolds() {
        Engine engine = Engine.on(new MemoryStore());
        Operation rerunning = Operation.named("payments").whenAbandoned(WhenAbandoned.rerun());

        assertThat(said("io.semel.servlet", () -> filter(engine).init(config)))
                .containsExactly(
                        "Requests with an idempotency key are guarded: operation 'default' on MemoryStore, level"
                                + " BEST_EFFORT: a call whose holder fell silent is refused as UNKNOWN until an operator resolves"
                                + " it.");
        assertThat(said("io.semel.servlet", () -> filter(engine.with(rerunning)).init(config)))
                .singleElement()
                .asString()
                .contains("'payments'", "runs again");
    }

    private static IdempotencyFilter filter(Engine engine) {
        return IdempotencyFilter.on(HttpIdempotency.on(engine, HttpRules.standard()), CallerResolver.byPrincipal());
    }

    private static List<String> said(String name, Runnable starting) {
        List<String> lines = new ArrayList<>();
        Handler listening = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger(name);
        log.addHandler(listening);
        try {
            starting.run();
        } finally {
            log.removeHandler(listening);
        }
        return lines;
    }
}
