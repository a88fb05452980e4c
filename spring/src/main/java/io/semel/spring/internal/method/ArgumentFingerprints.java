// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Fingerprint;
import io.semel.spring.internal.json.InvalidJson;
import io.semel.spring.internal.json.Json;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fingerprints of arguments: digests of JSON in which properties, entries and the elements of sets are sorted. */
record ArgumentFingerprints(Json json) {

    Fingerprint of(Method method, @Nullable Object[] arguments) {
        return print(method, Arrays.asList(arguments));
    }

    Fingerprint of(Method method, @Nullable Object value) {
        return print(method, Collections.singletonList(value));
    }

    private Fingerprint print(Method method, List<@Nullable Object> values) {
        try {
            return Fingerprint.of(json.sorted(values));
        } catch (InvalidJson e) {
            throw new IllegalArgumentException(
                    "The arguments of " + IdempotentMethods.name(method)
                            + " cannot be compared, because they cannot be written as JSON: " + e.getMessage()
                            + ". Choose what to compare with @Idempotent(fingerprint = \"…\"). The method was not"
                            + " executed.",
                    e);
        }
    }
}
