// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.store.Purger;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/rocksdb.md shows, in another directory. */
class RocksPageTest {

    private static final Purger.Watcher UNCONCERNED = new Purger.Watcher() {
        @Override
        public void failed(Throwable cause) {}

        @Override
        public void recovered() {}
    };

    @Test
    void whatWasDoneIsRememberedAcrossARestart(@TempDir Path home) {
        Call call = Call.of(Key.of("payments", "order-17"), Fingerprint.of("order-17", "500"));
        for (int start = 1; start <= 2; start++) {
            String receipt = "receipt " + start;
            try (RocksStore store = RocksStore.open(home.resolve("semel-data"));
                    Purger purger = new Purger(store, Duration.ofSeconds(10), Purger.BATCH, UNCONCERNED)) {
                purger.start();
                Engine engine = Engine.on(store).with(Operation.named("charge").demand(Level.LEASED));

                assertThat(engine.run(call, Codec.utf8(), attempt -> receipt))
                        .isEqualTo(new Outcome.Done<>("receipt 1", start == 2));
                assertThat(purger.isRunning()).isTrue();
            }
        }
    }
}
