// SPDX-License-Identifier: Apache-2.0
package io.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FingerprintSecretTest {

    private static final Call CALL = Call.of(Key.of("shop", "17"), Fingerprint.of("pay", "500"));

    private final MemoryStore store = new MemoryStore();
    private final Engine secretly = Engine.on(store).withFingerprintSecret(secret("0123456789abcdef"));

    private static byte[] secret(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static Outcome<String> run(Engine engine, Call call) {
        return engine.run(call, Codec.utf8(), attempt -> "done");
    }

    private Fingerprint stored() {
        return ((Claim.Settled) store.peek(CALL.key()).orElseThrow()).fingerprint();
    }

    @Test
    void aRetryFindsItsAnswerAndAnotherRequestIsAMismatch() {
        run(secretly, CALL);

        assertThat(run(secretly, CALL)).isEqualTo(new Outcome.Done<>("done", true));
        assertThat(secretly.peek(CALL, Codec.utf8())).contains(new Outcome.Done<>("done", true));
        assertThat(run(secretly, Call.of(CALL.key(), Fingerprint.of("pay", "600"))))
                .isEqualTo(new Outcome.Refused<>(Outcome.Reason.MISMATCH));
    }

    @Test
    void whatIsStoredConfirmsNoGuess() {
        run(secretly, CALL);

        assertThat(stored()).isNotEqualTo(CALL.fingerprint());
        assertThat(stored().toString()).as("for ever").isEqualTo("b52a09480df89ac8451852e12c84f2f6");
    }

    @Test
    void underAnotherSecretOrNoneACallIsRefusedAndNotRunAgain() {
        run(secretly, CALL);
        Outcome<String> mismatch = new Outcome.Refused<>(Outcome.Reason.MISMATCH);

        assertThat(run(Engine.on(store), CALL)).isEqualTo(mismatch);
        assertThat(run(Engine.on(store).withFingerprintSecret(secret("another secret..")), CALL))
                .isEqualTo(mismatch);
    }

    @Test
    void whereOnlyTheKeyIsComparedTheSecretChangesNothing() {
        Call bare = Call.of(CALL.key(), Fingerprint.none());
        run(Engine.on(store), bare);

        assertThat(run(secretly, bare)).isEqualTo(new Outcome.Done<>("done", true));
    }

    @Test
    void aShortSecretIsRefused() {
        assertThatThrownBy(() -> Engine.on(store).withFingerprintSecret(new byte[15]))
                .hasMessageContaining("at least 16 bytes, not 15");
    }
}
