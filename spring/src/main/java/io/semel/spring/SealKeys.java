// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.seal.AesGcmSeal;
import io.semel.seal.Seal;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Reads the keys that answers are encrypted with, where the settings have any. */
final class SealKeys implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return Binder.get(context.getEnvironment())
                .bind("semel.seal.keys", Bindable.mapOf(String.class, String.class))
                .isBound();
    }

    static Seal seal(SemelProperties.Seal settings) {
        Map<String, String> keys = settings.keys();
        String writing = settings.writing();
        if (writing == null && keys.size() > 1) {
            throw new Misuse(
                    "semel.seal.keys has " + keys.size() + " keys, and nothing says which of them is written with.",
                    "Set semel.seal.writing to the id of one of them: " + String.join(", ", keys.keySet()) + ".");
        }
        try {
            return AesGcmSeal.ofBase64(
                    writing == null ? keys.keySet().iterator().next() : writing, keys);
        } catch (IllegalArgumentException e) {
            throw new Misuse("The properties under semel.seal cannot be kept: " + e.getMessage(), "Change them.", e);
        }
    }
}
