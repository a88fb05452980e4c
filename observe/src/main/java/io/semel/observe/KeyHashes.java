// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.semel.Event;
import io.semel.Key;
import io.semel.Listener;
import java.util.HexFormat;

/**
 * A {@link Listener} that puts the hash of a call's key on the observation that it happens in, and so on its span, for finding the
 * trace of a key without writing keys into traces. Operators compute it from scope and id; see {@code docs/metrics.md}.
 */
public final class KeyHashes implements Listener {

    /** The attribute's name. */
    public static final String NAME = "semel.key.hash";

    private final ObservationRegistry observations;

    public KeyHashes(ObservationRegistry observations) {
        this.observations = observations;
    }

    @Override
    public void on(Event event) {
        Observation current = observations.getCurrentObservation();
        if (current != null) {
            current.highCardinalityKeyValue(KeyValue.of(NAME, hash(event.key())));
        }
    }

    /** The 16 bytes of {@link Key#hash()} in hexadecimal. */
    public static String hash(Key key) {
        return HexFormat.of().formatHex(key.hash());
    }
}
