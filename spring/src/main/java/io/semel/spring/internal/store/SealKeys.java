// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.store;

import io.semel.seal.AesGcmSeal;
import io.semel.seal.Seal;
import io.semel.spring.SemelProperties;
import io.semel.spring.internal.setup.InvalidSetup;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The keys that encrypt answers; the condition holds where the settings have any. */
public final class SealKeys implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return Binder.get(context.getEnvironment())
                .bind("semel.seal.keys", Bindable.mapOf(String.class, String.class))
                .isBound();
    }

    public static Seal seal(SemelProperties.Seal settings) {
        Map<String, String> keys = settings.keys();
        String writing = settings.writing();
        if (writing == null && keys.size() > 1) {
            throw new InvalidSetup(
                    "semel.seal.keys has " + keys.size()
                            + " keys, but semel.seal.writing does not choose the one to write with.",
                    "Set semel.seal.writing to the id of one of them: " + String.join(", ", keys.keySet()) + ".");
        }
        try {
            return AesGcmSeal.ofBase64(
                    writing == null ? keys.keySet().iterator().next() : writing, keys);
        } catch (IllegalArgumentException e) {
            throw new InvalidSetup("The properties under semel.seal are invalid: " + e.getMessage(), "Change them.", e);
        }
    }
}
