// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.Operator;
import io.semel.Outcome;
import io.semel.http.Answer;
import io.semel.http.Caller;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.http.HttpSessions;
import io.semel.http.Request;
import io.semel.http.RequestDecision;
import io.semel.memory.MemoryStore;
import io.semel.seal.AesGcmSeal;
import io.semel.seal.Seal;
import io.semel.servlet.Callers;
import io.semel.servlet.IdempotencyFilter;
import io.semel.session.MemorySessions;
import io.semel.session.SessionStore;
import io.semel.store.Inspectable;
import io.semel.store.Slot;
import io.semel.webflux.IdempotencyWebFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** What docs/plain.md, docs/versions.md and docs/resolving.md show, as they show it. */
class PagesTest {

    private static final Call CALL = Call.of(Key.of("pay", "17"), Fingerprint.of("17"));
    private static final byte[] KEY = new byte[32];

    record Receipt(String number, String currency) {}

    record JsonCodec<T>(JsonMapper mapper, JavaType type) implements Codec<T> {

        static <T> JsonCodec<T> of(JsonMapper mapper, Class<T> type) {
            return new JsonCodec<>(mapper, mapper.constructType(type));
        }

        @Override
        public String form() {
            return "json";
        }

        @Override
        public byte[] encode(T value) {
            return mapper.writeValueAsBytes(value);
        }

        @Override
        public T decode(byte[] bytes) {
            return mapper.readValue(bytes, type);
        }
    }

    static final class ReceiptCodec implements Codec<Receipt> {

        @Override
        public byte[] encode(Receipt receipt) {
            return (receipt.number() + ";" + receipt.currency()).getBytes(UTF_8);
        }

        @Override
        public Receipt decode(byte[] bytes, String version) {
            String text = new String(bytes, UTF_8);
            return version.equals("1") ? new Receipt(text, "EUR") : decode(bytes);
        }

        @Override
        public Receipt decode(byte[] bytes) {
            String[] parts = new String(bytes, UTF_8).split(";", 2);
            return new Receipt(parts[0], parts[1]);
        }
    }

    private static final class FirstCodec implements Codec<String> {

        @Override
        public byte[] encode(String value) {
            return value.getBytes(UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, UTF_8);
        }
    }

    private final MemoryStore store = new MemoryStore();
    private final SessionStore sessions = new MemorySessions(10);

    @Test
    void answersAreJsonOfTheDeclaredType() {
        Codec<Receipt> codec = JsonCodec.of(JsonMapper.builder().build(), Receipt.class);
        Engine engine = Engine.on(store);
        Receipt receipt = new Receipt("R-17", "EUR");
        engine.run(CALL, codec, attempt -> receipt);

        assertThat(engine.run(CALL, codec, attempt -> receipt)).isEqualTo(new Outcome.Done<>(receipt, true));
    }

    @Test
    void answersAndQuestionsAreSecretBehindEveryDoor() {
        byte[] lastYearsKey = new byte[16];
        byte[] key = KEY;
        byte[] secret = KEY;
        Engine engine = Engine.on(store)
                .withSeal(AesGcmSeal.of("2026", Map.of("2025", lastYearsKey, "2026", key)))
                .withFingerprintSecret(secret);
        Seal seal = AesGcmSeal.of("2026", Map.of("2026", key));
        Callers callers = Callers.byPrincipal();
        io.semel.webflux.Callers reactiveCallers = io.semel.webflux.Callers.byPrincipal();
        HttpIdempotency door = HttpIdempotency.on(engine.with(Operation.named("payments")), HttpRules.standard())
                .sessions(HttpSessions.on(sessions, Engine.on(sessions).withSeal(seal)));
        IdempotencyFilter servlets = IdempotencyFilter.on(door, callers);
        IdempotencyWebFilter webflux = IdempotencyWebFilter.on(door, reactiveCallers);

        assertThat(List.of(servlets, webflux)).doesNotContainNull();
        engine.run(CALL, Codec.utf8(), attempt -> "done");
        Slot slot = store.look(CALL.key()).orElseThrow();
        assertThat(new String(slot.result(), UTF_8)).doesNotContain("done");
        assertThat(slot.fingerprint()).isNotEqualTo(CALL.fingerprint());
        assertThat(engine.run(CALL, Codec.utf8(), attempt -> "again")).isEqualTo(new Outcome.Done<>("done", true));
    }

    @Test
    void aCodecReadsTheShapeOfTheVersionBefore() {
        Engine engine = Engine.on(store);
        engine.with(Operation.named("pay").version("1")).run(CALL, new FirstCodec(), attempt -> "R-1");
        Engine second = engine.with(Operation.named("pay").version("2"));
        Call other = Call.of(Key.of("pay", "18"), Fingerprint.none());
        second.run(other, new ReceiptCodec(), attempt -> new Receipt("R-2", "CHF"));

        assertThat(second.run(CALL, new ReceiptCodec(), attempt -> new Receipt("", "")))
                .isEqualTo(new Outcome.Done<>(new Receipt("R-1", "EUR"), true));
        assertThat(second.run(other, new ReceiptCodec(), attempt -> new Receipt("", "")))
                .isEqualTo(new Outcome.Done<>(new Receipt("R-2", "CHF"), true));
    }

    @Test
    void aRendererBringsOldAnswersIntoTheNewShape() {
        HttpRules rules = HttpRules.standard()
                .renderReplays((stored, request) -> stored.version().equals("1") ? inShapeTwo(stored) : stored);
        Engine engine = Engine.on(store);
        HttpIdempotency old =
                HttpIdempotency.on(engine.with(Operation.named("pay").version("1")), rules);
        ((RequestDecision.Run) old.enter(new Pay(), new byte[0])).complete(Answer.of(200, "one".getBytes(UTF_8)));

        HttpIdempotency door =
                HttpIdempotency.on(engine.with(Operation.named("pay").version("2")), rules);
        RequestDecision.Replay replay = (RequestDecision.Replay) door.enter(new Pay(), new byte[0]);
        assertThat(replay.answer().body()).asString(UTF_8).isEqualTo("one in shape two");
    }

    private static Answer inShapeTwo(Answer stored) {
        return Answer.of(stored.status(), (new String(stored.body(), UTF_8) + " in shape two").getBytes(UTF_8));
    }

    private static final class Pay implements Request {

        @Override
        public String method() {
            return "POST";
        }

        @Override
        public String path() {
            return "/payments";
        }

        @Override
        public String query() {
            return null;
        }

        @Override
        public List<String> headers(String name) {
            return name.equals("Idempotency-Key") ? List.of("17") : List.of();
        }

        @Override
        public Caller caller() {
            return Caller.of("ann");
        }
    }

    @Test
    void aPlainProgramResolvesWhatNobodyKnows() {
        Codec<Receipt> codec = JsonCodec.of(JsonMapper.builder().build(), Receipt.class);
        Engine engine = Engine.on(store);
        Call other = Call.of(Key.of("pay", "18"), Fingerprint.none());
        ((Begun.Started<Receipt>) engine.begin(CALL, codec)).hold("the bank did not answer");
        ((Begun.Started<Receipt>) engine.begin(other, codec)).hold("the bank did not answer");
        Bank bank = id -> id.equals("17") ? Optional.of(new Receipt("R-17", "EUR")) : Optional.empty();

        Operator operator = engine.operator("ann");
        for (Slot slot : operator.page(Inspectable.View.UNKNOWN, null, 100).slots()) {
            Optional<Receipt> found = bank.find(slot.key().id());
            Operator.Result result =
                    found.isPresent() ? operator.resolve(slot, codec, found.get()) : operator.release(slot);
            log(slot.key(), result);
        }

        assertThat(logged).containsOnlyKeys(CALL.key(), other.key()).containsValue(Operator.Result.APPLIED);
        assertThat(engine.run(CALL, codec, attempt -> new Receipt("R-18", "EUR")))
                .isEqualTo(new Outcome.Done<>(new Receipt("R-17", "EUR"), true));
        assertThat(engine.run(other, codec, attempt -> new Receipt("R-18", "EUR")))
                .isEqualTo(new Outcome.Done<>(new Receipt("R-18", "EUR"), false));
    }

    private interface Bank {
        Optional<Receipt> find(String id);
    }

    private final Map<Key, Operator.Result> logged = new HashMap<>();

    private void log(Key key, Operator.Result result) {
        logged.put(key, result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "versions", "resolving"})
    void everyPieceOfJavaOnThePageIsInThisTest(String page) throws IOException {
        String here = squeezed(Files.readString(Path.of("src/test/java/io/semel/spring/PagesTest.java")));
        List<String> pieces = Pattern.compile("```java\n(.*?)\n```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "docs", page + ".md")))
                .results()
                .map((MatchResult result) -> squeezed(result.group(1)))
                .toList();
        assertThat(pieces).isNotEmpty().allSatisfy(piece -> assertThat(here).contains(piece));
    }

    private static String squeezed(String code) {
        return code.replaceAll("\\s+", "");
    }
}
