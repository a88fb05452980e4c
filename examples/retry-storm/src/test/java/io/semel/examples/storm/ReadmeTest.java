// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.WhenAbandoned;
import io.semel.store.Store;
import io.semel.testkit.AfterCrash;
import io.semel.testkit.Sender;
import io.semel.testkit.SentTwice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the README shows, as it shows it. */
class ReadmeTest {

    private static final Path README = Path.of("..", "..", "README.md");

    private final Bank bank = new Bank();

    record Receipt(String number) {}

    private static final class ReceiptCodec implements Codec<Receipt> {

        @Override
        public byte[] encode(Receipt receipt) {
            return receipt.number().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Receipt decode(byte[] bytes) {
            return new Receipt(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    /** It knows a charge by its key. */
    private static final class Bank {

        private final Map<String, Receipt> charges = new ConcurrentHashMap<>();

        Receipt charge(String order, long cents, String key) {
            return charges.computeIfAbsent(key, first -> new Receipt(order + " over " + cents));
        }
    }

    @SentTwice
    void theOneRule(Sender sender) {
        sender.afterCrash(AfterCrash.ANSWERED)
                .start(() -> sender.store())
                .send(this::charge)
                .hasEffects(1, bank.charges::size)
                .answersEqually();
    }

    private Outcome<Receipt> charge(Store store) {
        String order = "order-17";
        long cents = 500;
        Call call = Call.of(Key.of("payments", order), Fingerprint.of(order));
        Codec<Receipt> codec = new ReceiptCodec();

        Engine engine = Engine.on(store)
                .with(Operation.named("charge")
                        .demand(Level.LEASED)
                        .waitWhenBusy(Duration.ofSeconds(2))
                        .whenAbandoned(WhenAbandoned.rerun()));

        Outcome<Receipt> outcome =
                engine.run(call, codec, attempt -> bank.charge(order, cents, attempt.derive("charge")));

        return outcome;
    }

    /** That of a database is in the tests of semel-jdbc. */
    @Test
    void everyPieceOfJavaIsInThisExample() throws IOException {
        String here;
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            here = files.filter(file -> file.toString().endsWith(".java"))
                    .map(ReadmeTest::squeezed)
                    .collect(Collectors.joining());
        }
        List<String> pieces = Pattern.compile("```java\n(.*?)\n```", Pattern.DOTALL)
                .matcher(Files.readString(README))
                .results()
                .map(piece -> squeezed(piece.group(1)))
                .filter(piece -> !piece.contains("TransactingStore"))
                .toList();
        assertThat(pieces).hasSize(5).allSatisfy(piece -> assertThat(here).contains(piece));
    }

    private static String squeezed(Path file) {
        try {
            return squeezed(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without comments and white space. */
    private static String squeezed(String code) {
        return code.replaceAll("(?m)//.*$", "").replaceAll("\\s+", "");
    }
}
