// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Engine;
import io.semel.seal.Seal;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What keeps off those who can read the store: the same in every engine of the application. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Secrets(@Nullable Seal seal, byte @Nullable [] forFingerprints) {

    static Secrets of(@Nullable Seal seal, SemelProperties.Fingerprints settings) {
        return new Secrets(seal, settings.secret() == null ? null : bytes(settings.secret()));
    }

    Engine in(Engine engine) {
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

    private static Misuse misuse(String why) {
        return new Misuse(
                "semel.fingerprints.secret cannot be used. " + why,
                "Make one with 'openssl rand -base64 32', and keep it where you keep secrets.");
    }

    @Override
    public String toString() {
        return "Secrets";
    }
}
