// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.store;

import io.semel.Engine;
import io.semel.seal.Seal;
import io.semel.spring.SemelProperties;
import io.semel.spring.internal.setup.InvalidSetup;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The secrets of all engines, which protect answers and fingerprints from readers of the store. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EngineSecrets(@Nullable Seal seal, byte @Nullable [] forFingerprints) {

    public static EngineSecrets of(@Nullable Seal seal, SemelProperties.Fingerprints settings) {
        return new EngineSecrets(seal, settings.secret() == null ? null : bytes(settings.secret()));
    }

    public Engine in(Engine engine) {
        Engine sealing = seal == null ? engine : engine.withSeal(seal);
        try {
            return forFingerprints == null ? sealing : sealing.withFingerprintSecret(forFingerprints);
        } catch (IllegalArgumentException e) {
            throw misuse(String.valueOf(e.getMessage()));
        }
    }

    /** Never says what the secret is. */
    private static byte[] bytes(String text) {
        try {
            return Base64.getDecoder().decode(text.strip());
        } catch (IllegalArgumentException e) {
            throw misuse("It is not Base64.");
        }
    }

    private static InvalidSetup misuse(String why) {
        return new InvalidSetup(
                "semel.fingerprints.secret cannot be used. " + why,
                "Generate one with 'openssl rand -base64 32', and keep it with your other secrets.");
    }

    @Override
    public String toString() {
        return "Secrets";
    }
}
