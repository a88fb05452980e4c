// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Key;
import io.semel.store.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Answers on all servers of a cluster. */
class ClusterAnswersTest {

    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void answersAreKeptOnAllServersAndFoundInOneGo() {
        try (Cluster cluster = new Cluster();
                RedisAnswers answers = RedisAnswers.on(cluster.client(), RedisOptions.DEFAULT)) {
            List<Key> keys = Stream.generate(Trial::key).limit(100).toList();
            keys.forEach(key -> answers.put(
                    key, new Claim.Settled(Trial.ASKED, Trial.bytes(key.id()), HOUR), HOUR, System.nanoTime()));

            List<Optional<Claim.Settled>> found = answers.getAll(keys);

            for (int i = 0; i < keys.size(); i++) {
                assertThat(found.get(i).orElseThrow().result())
                        .isEqualTo(Trial.bytes(keys.get(i).id()));
            }
            assertThat(cluster.masters())
                    .allSatisfy(server -> assertThat(server.<Long>ask(commands -> commands.dbsize()))
                            .isPositive());
            answers.forget(keys.get(0));
            assertThat(answers.get(keys.get(0))).isEmpty();
        }
    }
}
