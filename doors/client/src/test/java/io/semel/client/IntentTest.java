// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.memory.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntentTest {

    private static final URI PAYMENTS = URI.create("http://service.example/payments?token=hidden");

    @Test
    void everyIntentHasAKeyOfItsOwn() {
        assertThat(post(BodyPublishers.noBody()).key())
                .isNotEqualTo(post(BodyPublishers.noBody()).key());
    }

    @Test
    void aBodyThatCanBeReadOnlyOnceIsReadOnce(@TempDir Path directory) throws IOException {
        InputStream once = new ByteArrayInputStream("once".getBytes(UTF_8));
        Path file = Files.writeString(directory.resolve("body"), "in a file");

        assertThat(post(BodyPublishers.ofInputStream(() -> once)).body())
                .asString(UTF_8)
                .isEqualTo("once");
        assertThat(post(BodyPublishers.ofFile(file)).body()).asString(UTF_8).isEqualTo("in a file");
        assertThat(post(BodyPublishers.concat(BodyPublishers.ofString("a"), BodyPublishers.ofString("b")))
                        .body())
                .asString(UTF_8)
                .isEqualTo("ab");
    }

    @Test
    void aBodyThatIsNotWhatWasAnnouncedIsRefused() {
        InputStream readBefore = new ByteArrayInputStream(new byte[0]);
        BodyPublisher publisher = BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> readBefore), 17);

        assertThatThrownBy(() -> post(publisher))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("announced with 17 bytes and has 0")
                .hasMessageContaining("give a fresh one");
    }

    @Test
    void aBodyThatFailsIsRefused() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("bad sector");
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                return read();
            }
        };

        assertThatThrownBy(() -> post(BodyPublishers.ofInputStream(() -> broken)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing was sent")
                .hasStackTraceContaining("bad sector");
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() {
        HttpRequest request = HttpRequest.newBuilder(PAYMENTS)
                .POST(BodyPublishers.ofByteArray(new byte[1001]))
                .build();

        assertThatThrownBy(() -> Intent.of(request, 1000)).hasMessageContaining("more than 1000");
        assertThat(Intent.of(request, 1001).body()).hasSize(1001);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE"})
    void methodsWithoutEffectAreRefused(String method) {
        HttpRequest request = HttpRequest.newBuilder(PAYMENTS)
                .method(method, BodyPublishers.noBody())
                .build();

        assertThatThrownBy(() -> Intent.of(request)).hasMessageContaining("no meaning with " + method);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "ä", "\u007f"})
    void keysThatNoHeaderCanCarryAreRefused(String key) {
        Intent intent = post(BodyPublishers.noBody());

        assertThatThrownBy(() -> intent.key(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> intent.key("x".repeat(256))).hasMessageContaining("this has 256");
    }

    @Test
    void aSecondAttemptAtAGreaterCallDerivesTheSameKeyForEachPartOfIt() {
        Engine engine = Engine.on(new MemoryStore(1 << 20));
        Call order = Call.of(Key.of("orders", "17"), Fingerprint.of("an order".getBytes(UTF_8)));
        List<String> keys = new ArrayList<>();
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> engine.run(order, Codec.utf8(), running -> {
                        keys.add(post(BodyPublishers.noBody())
                                .derived(running, "charge")
                                .key());
                        keys.add(post(BodyPublishers.noBody())
                                .derived(running, "notify")
                                .key());
                        throw new IllegalStateException("fails, so that it runs again");
                    }))
                    .isInstanceOf(IllegalStateException.class);
        }

        assertThat(keys.get(2)).isEqualTo(keys.get(0));
        assertThat(keys.get(3)).isEqualTo(keys.get(1));
        assertThat(keys.get(0)).isNotEqualTo(keys.get(1)).isNotEqualTo("17");
    }

    @Test
    void itDoesNotShowWhatDoesNotBelongIntoMessages() {
        String shown = post(BodyPublishers.ofString("card 4111"))
                .header("Authorization", "Bearer s3cret")
                .key("k-1")
                .toString();

        assertThat(shown).isEqualTo("POST http://service.example/payments under the key k-1");
    }

    private static Intent post(BodyPublisher body) {
        return Intent.of(HttpRequest.newBuilder(PAYMENTS).POST(body).build());
    }
}
