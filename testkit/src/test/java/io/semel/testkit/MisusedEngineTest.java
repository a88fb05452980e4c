// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import static io.semel.testkit.Invocations.passed;
import static io.semel.testkit.WrongServicesTest.charge;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.WhenAbandoned;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Services that have an engine and use it wrongly, and tests that expect something else: both have to be told why. */
class MisusedEngineTest {

    private static final Call CALL = Call.of(Key.of("payments", "order-17"), Fingerprint.of("500"));

    @Test
    void anEffectOutsideOfTheWorkIsNamed() {
        assertThat(Invocations.of(EffectOutside.class).get(Way.ONE_AFTER_THE_OTHER))
                .contains("2 effects instead of 1")
                .contains("The key was granted once, so the effect lies outside of the work.");
    }

    static class EffectOutside {
        @SentTwice
        void test(Sender sender) {
            sender.start(() -> Engine.on(sender.store()))
                    .send(engine -> {
                        charge(sender.effects());
                        return engine.run(CALL, Codec.utf8(), attempt -> "receipt");
                    })
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void workThatThrowsAfterItsEffectIsNamed() {
        Map<Way, String> messages = Invocations.of(ThrowingLate.class);
        assertThat(messages.get(Way.ONE_AFTER_THE_OTHER))
                .contains("2 effects instead of 1")
                .contains("because the work threw after its effect: throwing forgets");
        assertThat(messages.get(Way.CRASH_AFTER_COMPLETE)).contains("Does its work end by returning?");
    }

    static class ThrowingLate {
        @SentTwice
        void test(Sender sender) {
            sender.start(() -> Engine.on(sender.store()))
                    .send(engine -> engine.run(CALL, Codec.utf8(), attempt -> {
                        charge(sender.effects());
                        throw new IllegalStateException("the mail could not be sent");
                    }))
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void aFingerprintOfMoreThanTheRequestIsNamed() {
        Map<Way, String> messages = Invocations.of(MovingFingerprint.class);
        assertThat(messages.get(Way.ONE_AFTER_THE_OTHER))
                .contains("delivery 2 got Refused[reason=MISMATCH]")
                .contains("The key payments/order-17 was claimed with different fingerprints.");
    }

    static class MovingFingerprint {
        private final AtomicInteger clock = new AtomicInteger();

        @SentTwice
        void test(Sender sender) {
            sender.start(() -> Engine.on(sender.store()))
                    .send(engine -> engine.run(
                            Call.of(CALL.key(), Fingerprint.of("500", "" + clock.incrementAndGet())),
                            Codec.utf8(),
                            attempt -> charge(sender.effects())))
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void anAnswerMadeOutsideOfTheWorkIsNamed() {
        assertThat(Invocations.of(AnswerOutside.class).get(Way.CRASH_AFTER_COMPLETE))
                .contains("the answers differ: delivery 2 got \"receipt 1 of 2\", delivery 3 got \"receipt 1 of 3\"")
                .contains("not with anything made outside of it");
    }

    static class AnswerOutside {
        private final AtomicInteger calls = new AtomicInteger();

        @SentTwice
        void test(Sender sender) {
            sender.start(() -> Engine.on(sender.store()))
                    .send(engine -> {
                        calls.incrementAndGet();
                        return engine.run(CALL, Codec.utf8(), attempt -> charge(sender.effects()))
                                        .orThrow()
                                + " of " + calls;
                    })
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void aRefusalThatTheTestDidNotExpectIsNamed() {
        Map<Way, String> messages = Invocations.of(SilentlyRefusing.class);
        assertThat(messages.get(Way.CRASH_BEFORE_COMPLETE))
                .contains("delivery 2 got Refused[reason=UNKNOWN]")
                .contains("If that is meant, say so with sender.afterCrash(REFUSED)");
        assertThat(messages.get(Way.CRASH_AFTER_CLAIM)).contains("delivery 2 got Refused[reason=UNKNOWN]");
        assertThat(messages.get(Way.CRASH_AFTER_COMPLETE)).isEqualTo(passed());
    }

    static class SilentlyRefusing {
        @SentTwice
        void test(Sender sender) {
            Operation refusing = Operation.named("pay").whenAbandoned(WhenAbandoned.refuse());
            sender.afterCrash(AfterCrash.ANSWERED)
                    .start(() -> Engine.on(sender.store()).with(refusing))
                    .send(engine -> engine.run(CALL, Codec.utf8(), attempt -> charge(sender.effects())))
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void aRefusalThatTheTestExpectsAndDoesNotGetIsNamed() {
        assertThat(Invocations.of(NotRefusing.class).get(Way.CRASH_BEFORE_COMPLETE))
                .contains("delivery 2 got Done[value=receipt 2, replayed=false]")
                .contains("Choose whenAbandoned(refuse()) for the operation");
    }

    static class NotRefusing {
        @SentTwice(Way.CRASH_BEFORE_COMPLETE)
        void test(Sender sender) {
            Operation rerunning = Operation.named("pay").whenAbandoned(WhenAbandoned.rerun());
            sender.afterCrash(AfterCrash.REFUSED)
                    .start(() -> Engine.on(sender.store()).with(rerunning))
                    .send(engine -> engine.run(CALL, Codec.utf8(), attempt -> charge(sender.effects())))
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void anAttemptThatIsNeverEndedIsNamed() {
        assertThat(Invocations.of(NeverEnding.class).get(Way.ONE_AFTER_THE_OTHER))
                .contains("delivery 2 is still told to come again")
                .contains("See that every Begun.Started is completed, rejected, held or released.");
    }

    static class NeverEnding {
        @SentTwice(Way.ONE_AFTER_THE_OTHER)
        void test(Sender sender) {
            sender.start(() -> Engine.on(sender.store()))
                    .send(engine -> {
                        Begun<String> begun = engine.begin(CALL, Codec.utf8());
                        return begun instanceof Begun.Answered<String> answered
                                ? answered.outcome().orThrow()
                                : charge(sender.effects());
                    })
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void anEffectThatNobodyCountsIsAskedFor() {
        assertThat(Invocations.of(Uncounted.class).get(Way.ONE_AFTER_THE_OTHER))
                .contains("0 effects instead of 1")
                .contains("Call sender.effects().add(…) where it happens, or count your own");
    }

    static class Uncounted {
        @SentTwice(Way.ONE_AFTER_THE_OTHER)
        void test(Sender sender) {
            sender.start(() -> Engine.on(sender.store()))
                    .send(engine -> engine.run(CALL, Codec.utf8(), attempt -> "receipt"))
                    .hasOneEffect();
        }
    }
}
