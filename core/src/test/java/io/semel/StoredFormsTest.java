// SPDX-License-Identifier: Apache-2.0
package io.semel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.memory.MemoryStore;
import io.semel.seal.AesGcmSeal;
import io.semel.store.Slot;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that another codec, another version of the application or another key wrote. */
class StoredFormsTest {

    private static final Call CALL = Call.of(Key.of("payments", "order-17"), Fingerprint.of("500 EUR"));
    private static final Codec<String> UTF8 = Codec.utf8();

    private final MemoryStore store = new MemoryStore();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final Engine engine = Engine.on(store).withListener(events::add);

    @Test
    void anAnswerOfAnotherFormIsNeverGivenToACodec() {
        engine.run(CALL, Codec.bytes(), attempt -> new byte[] {1, 2});

        assertThat(engine.run(CALL, UTF8, attempt -> "again")).isEqualTo(new Refused<>(Reason.NOT_RETAINED));
        assertThat(unreadable().getMessage()).contains("'bytes'").contains("'utf8'");
        assertThat(engine.run(CALL, Codec.bytes(), attempt -> new byte[0])).isInstanceOf(Done.class);
    }

    @Test
    void aCodecWithoutANameReadsOnlyAnswersWithoutOne() {
        Codec<String> unnamed = codec("");
        engine.run(CALL, unnamed, attempt -> "first");

        assertThat(engine.run(CALL, unnamed, attempt -> "again")).isEqualTo(new Done<>("first from ", true));
        assertThat(engine.run(CALL, UTF8, attempt -> "again")).isEqualTo(new Done<>("first", true));
        Call other = Call.of(Key.of("payments", "order-18"), CALL.fingerprint());
        engine.run(other, UTF8, attempt -> "first");
        assertThat(engine.run(other, unnamed, attempt -> "again")).isEqualTo(new Refused<>(Reason.NOT_RETAINED));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                IllegalStateException.class,
                IOException.class,
                StackOverflowError.class,
                NoClassDefFoundError.class
            })
    void aCodecThatCannotReadItsAnswerRefusesItAndSaysWhy(Class<? extends Throwable> kind) throws Exception {
        Throwable failure = kind.getConstructor(String.class).newInstance("other schema");
        engine.run(CALL, UTF8, attempt -> "first");

        Codec<String> broken = new Codec<>() {
            @Override
            public String form() {
                return "utf8";
            }

            @Override
            public byte[] encode(String value) {
                return value.getBytes(UTF_8);
            }

            @Override
            public String decode(byte[] bytes) {
                throw StoredFormsTest.<RuntimeException>sneaky(failure);
            }
        };
        assertThat(engine.run(CALL, broken, attempt -> "again")).isEqualTo(new Refused<>(Reason.NOT_RETAINED));
        assertThat(unreadable()).hasCause(failure).hasMessageContaining("payments/order-17");
        assertThat(events).contains(new Event.WasRefused("default", CALL.key(), Reason.NOT_RETAINED));
    }

    @Test
    void aSealThatIsMissingIsAnErrorBecauseSomebodyCanMendIt() {
        Engine sealing = engine.withSeal(AesGcmSeal.of("a", Map.of("a", new byte[16])));
        sealing.run(CALL, UTF8, attempt -> "first");

        assertThatThrownBy(() -> engine.run(CALL, UTF8, attempt -> "again")).isInstanceOf(UnreadableAnswer.class);
        assertThat(sealing.run(CALL, UTF8, attempt -> "again")).isEqualTo(new Done<>("first", true));
    }

    @Test
    void aCodecIsToldWhichVersionWroteAnAnswer() {
        Codec<String> rendering = codec("text");
        engine.with(Operation.named("pay").version("1.4")).run(CALL, rendering, attempt -> "first");

        assertThat(engine.with(Operation.named("pay").version("2.0")).run(CALL, rendering, attempt -> "again"))
                .isEqualTo(new Done<>("first from 1.4", true));
    }

    @Test
    void answersOfOtherVersionsMayBeRefusedAsGone() {
        Operation first = Operation.named("pay").version("1");
        Operation second = Operation.named("pay").version("2").answersOfOtherVersions(Operation.OtherVersions.GONE);
        engine.with(first).run(CALL, UTF8, attempt -> "first");

        assertThat(engine.with(second).run(CALL, UTF8, attempt -> "again")).isEqualTo(new Refused<>(Reason.GONE));
        assertThat(engine.with(first.answersOfOtherVersions(Operation.OtherVersions.GONE))
                        .run(CALL, UTF8, attempt -> "again"))
                .isEqualTo(new Done<>("first", true));
    }

    @Test
    void aFormThatCannotBeStoredIsRefusedBeforeAnythingRuns() {
        assertThatThrownBy(() -> engine.run(CALL, codec("has space"), attempt -> "run"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("form of a codec");
        assertThat(store.peek(CALL.key())).isEmpty();
        assertThatThrownBy(() -> Operation.named("pay").version("a b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("version of an operation");
    }

    @Test
    void anOperatorCannotResolveInAFormThatTheServiceDoesNotRead() {
        ((Begun.Started<String>) engine.begin(CALL, UTF8)).hold("time-out");
        Operator operator = engine.operator("eve");
        Slot seen = operator.look(CALL.key()).orElseThrow();

        assertThat(operator.form(seen)).hasValue("utf8");
        assertThat(operator.resolve(seen, Codec.bytes(), new byte[] {1})).isEqualTo(Operator.Result.OTHER_FORM);
        assertThat(operator.look(CALL.key()).orElseThrow().state()).isEqualTo(Slot.State.UNKNOWN);
        assertThat(operator.resolve(seen, UTF8, "paid")).isEqualTo(Operator.Result.APPLIED);
        assertThat(engine.run(CALL, UTF8, attempt -> "again")).isEqualTo(new Done<>("paid", true));
    }

    @Test
    void aLapsedSlotDoesNotSayItsForm() throws InterruptedException {
        store.claim(CALL, "a holder that vanishes", Duration.ofMillis(1));
        Operator operator = engine.operator("eve");
        while (operator.look(CALL.key()).orElseThrow().state() != Slot.State.LAPSED) {
            Thread.sleep(1);
        }
        Slot seen = operator.look(CALL.key()).orElseThrow();

        assertThat(operator.form(seen)).isEmpty();
        assertThat(operator.resolve(seen, Codec.bytes(), new byte[] {1})).isEqualTo(Operator.Result.APPLIED);
        assertThat(engine.run(CALL, UTF8, attempt -> "again")).isEqualTo(new Refused<>(Reason.NOT_RETAINED));
    }

    private Throwable unreadable() {
        return events.stream()
                .filter(Event.Unreadable.class::isInstance)
                .map(event -> ((Event.Unreadable) event).cause())
                .reduce((one, other) -> other)
                .orElseThrow();
    }

    private static Codec<String> codec(String form) {
        return new Codec<>() {
            @Override
            public String form() {
                return form;
            }

            @Override
            public byte[] encode(String value) {
                return value.getBytes(UTF_8);
            }

            @Override
            public String decode(byte[] bytes) {
                throw new AssertionError("The version was not told.");
            }

            @Override
            public String decode(byte[] bytes, String version) {
                return new String(bytes, UTF_8) + " from " + version;
            }
        };
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E sneaky(Throwable failure) throws E {
        throw (E) failure;
    }
}
