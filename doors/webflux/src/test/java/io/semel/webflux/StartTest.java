// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Engine;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;

/** A filter says at its start what becomes of calls whose holder fell silent. */
class StartTest {

    @Test
    void asABeanItSaysWhichPolicyHolds() {
        HttpIdempotency door = HttpIdempotency.on(Engine.on(new MemoryStore()), HttpRules.standard());

        assertThat(said("io.semel.webflux", () -> {
                    try (GenericApplicationContext context = new GenericApplicationContext()) {
                        context.registerBean(
                                IdempotencyWebFilter.class,
                                () -> IdempotencyWebFilter.on(door, ReactiveCallerResolver.byPrincipal()));
                        context.refresh();
                    }
                }))
                .singleElement()
                .asString()
                .contains("'default'", "refused as UNKNOWN until an operator resolves it");
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
