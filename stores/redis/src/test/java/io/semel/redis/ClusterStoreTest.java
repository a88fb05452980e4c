// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.StoreException;
import io.semel.redis.internal.client.LettuceClusterCommands;
import io.semel.redis.internal.script.Script;
import io.semel.redis.internal.script.ScriptRequest;
import io.semel.redis.internal.script.SlotNames;
import io.semel.store.Store;
import io.semel.testkit.store.StoreContract;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The laws on a cluster. */
class ClusterStoreTest extends StoreContract {

    private final Cluster cluster = new Cluster();

    @Override
    protected Store open() {
        return RedisStore.on(cluster.client(), RedisOptions.DEFAULT);
    }

    @Override
    protected Store failing() {
        RedisStore store = RedisStore.on(cluster.client(), RedisOptions.DEFAULT);
        store.close();
        return store;
    }

    @Override
    protected void elapse(Duration span) {
        cluster.masters().forEach(server -> server.elapse(span));
    }

    /** Else each failure would cost some memory for good. */
    @Test
    void whatWasSentTogetherWithSomethingThatFailedIsNotWaitedFor() {
        ScriptRequest malformed = new ScriptRequest(new SlotNames("semel:").of(Trial.key()), new byte[0]);
        List<ScriptRequest> asks = Stream.concat(
                        Stream.of(malformed),
                        Stream.generate(() -> ScriptRequest.look(new SlotNames("semel:").of(Trial.key())))
                                .limit(50))
                .toList();
        try (LettuceClusterCommands commands =
                new LettuceClusterCommands(cluster.client(), RedisOptions.DEFAULT.client(), Script.SLOTS)) {
            assertThatThrownBy(() -> commands.run(asks)).isInstanceOf(StoreException.class);
            assertThat(commands.inFlight()).isZero();
        }
    }

    @AfterAll
    void stop() {
        cluster.close();
    }
}
