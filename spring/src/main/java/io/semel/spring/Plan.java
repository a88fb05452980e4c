// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one method before it is called.
 *
 * @param fingerprint what of the arguments is compared
 */
record Plan(
        Engine engine,
        Codec<Optional<Object>> codec,
        Keys keys,
        Printing fingerprint,
        RecordedExceptions recorded,
        Way way,
        @Nullable Reconciling reconciling) {

    /** For one call of a bean's method. */
    Plan of(@Nullable Object target, @Nullable Object[] arguments) {
        if (reconciling == null) {
            return this;
        }
        Engine asking = engine.with(engine.operation().whenAbandoned(reconciling.policy(codec, target, arguments)));
        return new Plan(asking, codec, keys, fingerprint, recorded, way, reconciling);
    }

    Call call(@Nullable Object[] arguments) {
        return Call.of(keys.key(arguments), fingerprint.of(arguments));
    }

    /** Fingerprints arguments. */
    interface Printing {

        io.semel.Fingerprint of(@Nullable Object[] arguments);
    }
}
