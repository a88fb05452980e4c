// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.WhenAbandoned;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.testkit.fault.FlakyStore;
import io.semel.testkit.fault.SimulatedCrash;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sender used by hand, without its annotation. */
class SenderTest {

    private static final Call CALL = Call.of(Key.of("sender", "1"), Fingerprint.none());

    private final AtomicInteger charges = new AtomicInteger();
    private final List<Event> events = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @EnumSource
    void itSendsToSomethingThatIsRunningOnAStoreOfTheTest(Way way) {
        MemoryStore inner = new MemoryStore();
        Sender sender = Sender.of(way).over(inner).afterCrash(AfterCrash.REPEATED);
        Engine engine = Engine.on(sender.store()).with(Operation.named("rerun").whenAbandoned(WhenAbandoned.rerun()));
        Outcome<String> answer = sender.send(() -> charge(engine))
                .hasEffects(1, charges::get)
                .answersEqually()
                .answer();
        assertThat(answer.orThrow()).startsWith("receipt");
        assertThat(inner.peek(CALL.key()).orElseThrow()).isInstanceOf(Claim.Settled.class);
        assertThat(inner.count().held()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void itLeavesAStoreOfTheTestAsGoodAsItWas(Way way) {
        FlakyStore store = FlakyStore.on(new MemoryStore());
        Engine engine = Engine.on(store);
        Sender.of(way).over(store).afterCrash(AfterCrash.REPEATED).send(() -> charge(engine));
        assertThat(store.pending()).isZero();
        assertThat(store.crashed()).isFalse();
        assertThat(store.peek(CALL.key())).isPresent();
    }

    @ParameterizedTest
    @EnumSource(names = {"AT_ONCE", "AT_ONCE_TO_TWO_PROCESSES"})
    void atOnceMeansThatTheSecondArrivesWhileTheFirstIsAtWork(Way way) {
        Sender sender = Sender.of(way);
        sender.start(() -> Engine.on(sender.store()).withListener(events::add))
                .send(engine -> charge(engine))
                .answersEqually();
        assertThat(charges).hasValue(1);
        assertThat(events).hasAtLeastOneElementOfType(Event.WasBusy.class);
        assertThat(events).hasAtLeastOneElementOfType(Event.Replayed.class);
    }

    @Test
    void aServiceInOneProcessIsStartedOnceAndInTwoTwice() {
        assertThat(startsIn(Way.ONE_AFTER_THE_OTHER)).isEqualTo(1);
        assertThat(startsIn(Way.AT_ONCE)).isEqualTo(1);
        assertThat(startsIn(Way.AT_ONCE_TO_TWO_PROCESSES)).isEqualTo(2);
        assertThat(startsIn(Way.CRASH_AFTER_CLAIM)).isEqualTo(2);
    }

    @Test
    void aBusyAnswerOfTheServicesOwnKindMakesTheClientComeAgain() {
        Sender sender = Sender.of(Way.AT_ONCE).busyWhen(String.class, "409 Conflict"::equals);
        Engine engine = Engine.on(sender.store());
        sender.send(() -> charge(engine) instanceof Outcome.Done<String> done ? done.value() : "409 Conflict")
                .hasEffects(1, charges::get)
                .answersEqually();
    }

    @Test
    void anUnknownAnswerOfTheServicesOwnKindIsARefusal() {
        Sender sender = Sender.of(Way.CRASH_BEFORE_COMPLETE)
                .unknownWhen(IllegalStateException.class, e -> "ask us".equals(e.getMessage()))
                .afterCrash(AfterCrash.REFUSED);
        AtomicInteger calls = new AtomicInteger();
        Engine engine = Engine.on(sender.store());
        sender.send(() -> {
                    if (calls.incrementAndGet() > 1) {
                        throw new IllegalStateException("ask us");
                    }
                    return charge(engine);
                })
                .hasEffects(1, charges::get)
                .answersEqually();
    }

    @Test
    void onlyAPartOfTheAnswersMayHaveToBeEqual() {
        AtomicInteger dates = new AtomicInteger();
        Sent<List<String>> sent =
                Sender.of(Way.ONE_AFTER_THE_OTHER).send(() -> List.of("body", "date " + dates.incrementAndGet()));
        sent.answersEqually(response -> response.get(0));
        assertThatThrownBy(sent::answersEqually)
                .hasMessageContaining("delivery 1 got [body, date 1], delivery 2 got [body, date 2]");
    }

    @Test
    void arraysAreEqualByContent() {
        Sender.of(Way.ONE_AFTER_THE_OTHER).send(() -> new byte[] {1, 2}).answersEqually();
        AtomicInteger bytes = new AtomicInteger();
        assertThatThrownBy(() -> Sender.of(Way.ONE_AFTER_THE_OTHER)
                        .send(() -> new byte[] {bytes.byteValue(), (byte) bytes.incrementAndGet()})
                        .answersEqually())
                .hasMessageContaining("delivery 1 got 2 bytes (0001), delivery 2 got 2 bytes (0102)");
    }

    @Test
    void exceptionsAreEqualByClassAndMessage() {
        Sender.of(Way.ONE_AFTER_THE_OTHER)
                .send(() -> {
                    throw new IllegalStateException("no");
                })
                .answersEqually();
        AtomicInteger times = new AtomicInteger();
        assertThatThrownBy(() -> Sender.of(Way.ONE_AFTER_THE_OTHER)
                        .send(() -> {
                            throw new IllegalStateException("no " + times.incrementAndGet());
                        })
                        .answersEqually())
                .hasMessageContaining("IllegalStateException: no 1, delivery 2");
    }

    @Test
    void aFailedAssertionWithinTheRequestFailsTheTest() {
        assertThatThrownBy(() -> Sender.of(Way.ONE_AFTER_THE_OTHER)
                        .send(() -> assertThat("500 Internal Error").isEqualTo("201 Created")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("201 Created")
                .satisfies(e -> assertThat(e.getSuppressed()[0])
                        .hasMessageContaining("It was thrown at delivery 1")
                        .hasMessageContaining("1. delivery 1: sent"));
    }

    @Test
    void aFailedAssertionOfTheDeliveryThatCrashedIsNoFailure() {
        Sender sender = Sender.of(Way.CRASH_AFTER_COMPLETE);
        sender.start(() -> Engine.on(sender.store()))
                .send(engine -> {
                    try {
                        return charge(engine).orThrow();
                    } catch (SimulatedCrash e) {
                        throw new AssertionError("the server answered 500", e);
                    }
                })
                .hasEffects(1, charges::get)
                .answersEqually();
    }

    @Test
    void aServiceThatDoesNotStartIsAFailure() {
        assertThatThrownBy(() -> Sender.of(Way.AT_ONCE)
                        .start(() -> {
                            throw new IllegalStateException("port in use");
                        })
                        .send(service -> "never"))
                .hasMessageContaining("The service did not start")
                .hasMessageContaining("port in use");
    }

    @Test
    void theAnswerOfADeliveryThatThrewIsAFailure() {
        Sent<Object> sent = Sender.of(Way.ONE_AFTER_THE_OTHER).send(() -> {
            throw new IllegalStateException("no");
        });
        assertThatThrownBy(sent::answer)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Delivery 2 got no value, but java.lang.IllegalStateException: no");
    }

    @Test
    void effectsOfAProcessThatCaughtItsCrashDoNotCount() {
        Sender sender = Sender.of(Way.CRASH_BEFORE_CLAIM);
        sender.start(() -> Engine.on(sender.store()))
                .send(engine -> {
                    try {
                        return engine.run(CALL, Codec.utf8(), attempt -> effect(sender))
                                .orThrow();
                    } catch (SimulatedCrash e) {
                        return effect(sender);
                    }
                })
                .hasOneEffect()
                .answersEqually();
    }

    @Test
    void operatorsCanLookAtTheStoreOfASender() {
        assertThat(Sender.of(Way.AT_ONCE).store()).isInstanceOf(Inspectable.class);
    }

    private int startsIn(Way way) {
        AtomicInteger starts = new AtomicInteger();
        Sender sender = Sender.of(way);
        sender.start(() -> {
                    starts.incrementAndGet();
                    Operation patient = Operation.named("pay").waitWhenBusy(Duration.ofSeconds(20));
                    return Engine.on(sender.store()).with(patient);
                })
                .send(this::charge);
        return starts.get();
    }

    private static String effect(Sender sender) {
        sender.effects().add("charge");
        return "receipt";
    }

    private Outcome<String> charge(Engine engine) {
        return engine.run(CALL, Codec.utf8(), attempt -> "receipt " + charges.incrementAndGet());
    }
}
