// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Key;
import io.semel.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class KeyHashesTest {

    @Test
    void theObservationOfACallCarriesTheHashOfItsKey() {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(context -> true);
        Engine engine = Engine.on(new MemoryStore()).withListener(new KeyHashes(observations));
        Observation observation = Observation.createNotStarted("request", observations);
        observation.observe(() -> engine.run(Traffic.call("1"), Codec.utf8(), attempt -> "paid"));
        assertThat(observation
                        .getContext()
                        .getHighCardinalityKeyValue(KeyHashes.NAME)
                        .getValue())
                .isEqualTo(KeyHashes.hash(Key.of("payments", "1")));
    }

    @Test
    void outsideOfAnObservationNothingHappens() {
        Engine engine = Engine.on(new MemoryStore()).withListener(new KeyHashes(ObservationRegistry.create()));
        assertThat(engine.run(Traffic.call("1"), Codec.utf8(), attempt -> "paid")
                        .orThrow())
                .isEqualTo("paid");
    }

    /** As the documentation tells operators to. */
    @Test
    void theHashCanBeComputedByHand() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (String part : new String[] {"payments", "1"}) {
            byte[] utf8 = part.getBytes(StandardCharsets.UTF_8);
            out.writeInt(utf8.length);
            out.write(utf8);
        }
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
        assertThat(KeyHashes.hash(Key.of("payments", "1")))
                .isEqualTo(HexFormat.of().formatHex(digest).substring(0, 32));
    }
}
