// SPDX-License-Identifier: Apache-2.0
package io.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.memory.MemoryStore;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EngineTest {

    private static final Call CALL = Call.of(Key.of("payments", "order-17"), Fingerprint.of("500 EUR"));
    private static final Codec<String> UTF8 = Codec.utf8();

    private final MemoryStore store = new MemoryStore();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final Engine engine = Engine.on(store).withListener(events::add);
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void anEngineSaysWhichPolicyHolds() {
        Operation pay = Operation.named("pay");

        assertThat(engine)
                .hasToString("operation 'default' on MemoryStore, level BEST_EFFORT: a call whose holder fell silent is"
                        + " refused as UNKNOWN until an operator resolves it");
        assertThat(engine.with(pay.whenAbandoned(WhenAbandoned.rerun())).toString())
                .contains("'pay'", "runs again");
        assertThat(engine.with(pay.whenAbandoned(
                                WhenAbandoned.reconcile((call, attempt) -> WhenAbandoned.Verdict.didNotHappen())))
                        .toString())
                .contains("a hook is asked");
    }

    @Test
    void theWorkRunsOnceAndEveryRetryGetsTheFirstAnswer() {
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", true));
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", true));
        assertThat(runs).hasValue(1);
    }

    @Test
    void aNullAnswerIsAnAnswer() {
        Work<Void, RuntimeException> work = attempt -> {
            runs.incrementAndGet();
            return null;
        };

        assertThat(engine.run(CALL, Codec.nothing(), work)).isEqualTo(new Done<>(null, false));
        assertThat(engine.run(CALL, Codec.nothing(), work)).isEqualTo(new Done<>(null, true));
        assertThat(runs).hasValue(1);
    }

    @Test
    void theSameKeyForAnotherRequestIsRefusedAndTheFirstAnswerStands() {
        engine.run(CALL, UTF8, this::countedRun);
        Call other = Call.of(CALL.key(), Fingerprint.of("900 EUR"));

        assertThat(engine.run(other, UTF8, this::countedRun)).isEqualTo(new Refused<>(Reason.MISMATCH));
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", true));
        assertThat(runs).hasValue(1);
    }

    @Test
    void throwingForgetsAndTheExceptionKeepsItsType() {
        IOException first = new IOException("card network down");
        Work<String, IOException> failing = attempt -> {
            throw first;
        };

        assertThat(catchThrowable(() -> engine.run(CALL, UTF8, failing))).isSameAs(first);
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
        assertThat(events)
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                Event.Released.class,
                                released -> assertThat(released.cause()).isSameAs(first)));
    }

    @Test
    void anErrorForgetsToo() {
        Work<String, RuntimeException> failing = attempt -> {
            throw new StackOverflowError();
        };

        assertThatThrownBy(() -> engine.run(CALL, UTF8, failing)).isInstanceOf(StackOverflowError.class);
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
    }

    @Test
    void aRejectionIsAnAnswerAndIsReplayed() {
        Work<String, RuntimeException> rejecting = attempt -> {
            runs.incrementAndGet();
            throw new Rejection("no-funds", "balance is 3");
        };

        for (boolean replayed : new boolean[] {false, true, true}) {
            assertThatThrownBy(() -> engine.run(CALL, UTF8, rejecting))
                    .isInstanceOfSatisfying(Rejection.class, rejection -> {
                        assertThat(rejection.code()).isEqualTo("no-funds");
                        assertThat(rejection.detail()).isEqualTo("balance is 3");
                        assertThat(rejection.replayed()).isEqualTo(replayed);
                    });
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void anAnswerThatIsTooLargeReachesItsCallerAndIsNeverRunAgain() {
        Engine small = engine.with(Operation.named("small").keepAnswersUpTo(4));

        assertThat(small.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
        assertThat(small.run(CALL, UTF8, this::countedRun)).isEqualTo(new Refused<>(Reason.NOT_RETAINED));
        assertThat(runs).hasValue(1);
        assertThat(events).contains(new Event.NotRetained("small", CALL.key(), fence(), 5, null));
    }

    @Test
    void anAnswerThatCannotBeEncodedReachesItsCallerAndIsNeverRunAgain() {
        RuntimeException failure = new IllegalStateException("not serialisable");
        Codec<String> broken = codecThatThrows(failure);

        assertThat(engine.run(CALL, broken, this::countedRun)).isEqualTo(new Done<>("run 1", false));
        assertThat(engine.run(CALL, broken, this::countedRun)).isEqualTo(new Refused<>(Reason.NOT_RETAINED));
        assertThat(runs).hasValue(1);
        assertThat(events).contains(new Event.NotRetained("default", CALL.key(), fence(), -1, failure));
    }

    @Test
    void anErrorOfTheCodecIsThrownAndTheWorkIsStillNeverRunAgain() {
        Codec<String> broken = codecThatThrows(new StackOverflowError("too deep"));

        assertThatThrownBy(() -> engine.run(CALL, broken, this::countedRun)).isInstanceOf(StackOverflowError.class);
        assertThat(engine.run(CALL, broken, this::countedRun)).isEqualTo(new Refused<>(Reason.NOT_RETAINED));
        assertThat(runs).hasValue(1);
    }

    @Test
    void aStoreThatCannotGiveTheDemandedLevelIsRefusedWithAdvice() {
        assertThatThrownBy(() -> engine.with(Operation.named("charge").demand(Level.LEASED)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'charge' demands LEASED")
                .hasMessageContaining("MemoryStore gives only BEST_EFFORT")
                .hasMessageContaining("Use a store that keeps what it acknowledged");
        assertThatThrownBy(() -> engine.with(Operation.named("charge").demand(Level.JOINED)))
                .hasMessageContaining("joined to your transaction");
    }

    @Test
    void anAttemptIsEndedOnlyOnce() {
        Begun.Started<String> started = (Begun.Started<String>) engine.begin(CALL, UTF8);
        started.complete("done");

        assertThatThrownBy(started::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("before");
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("done", true));
    }

    @Test
    void theHalvesOfARunDoWhatTheWholeDoes() {
        ((Begun.Started<String>) engine.begin(CALL, UTF8)).release();
        Begun.Started<String> started = (Begun.Started<String>) engine.begin(CALL, UTF8);

        assertThat(started.complete("done")).isEqualTo(new Done<>("done", false));
        assertThat(engine.begin(CALL, UTF8)).isEqualTo(new Begun.Answered<>(new Done<>("done", true)));
    }

    @Test
    void aHeldOutcomeIsUnknownUntilAnOperatorResolvesIt() {
        ((Begun.Started<String>) engine.begin(CALL, UTF8)).hold("HTTP 502 from the bank");

        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Refused<>(Reason.UNKNOWN));
        assertThat(engine.operator("eve").whyUnknown(CALL.key())).contains("HTTP 502 from the bank");
        assertThat(engine.operator("eve").resolve(slot(), UTF8, "it was paid")).isEqualTo(Operator.Result.APPLIED);
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("it was paid", true));
        assertThat(runs).hasValue(0);
        assertThat(events).contains(new Event.Operated("default", CALL.key(), "eve", Event.Act.RESOLVED));
    }

    @Test
    void anOperatorWhoFindsThatItDidNotHappenFreesTheKey() {
        ((Begun.Started<String>) engine.begin(CALL, UTF8)).hold("time-out");

        assertThat(engine.operator("eve").release(slot())).isEqualTo(Operator.Result.APPLIED);
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
    }

    @Test
    void anOperatorChangesNothingThatIsNotInDoubt() {
        Operator eve = engine.operator("eve");
        Begun.Started<String> started = (Begun.Started<String>) engine.begin(CALL, UTF8);
        Slot held = slot();
        assertThat(eve.release(held)).isEqualTo(Operator.Result.STILL_HELD);

        started.release();
        assertThat(eve.release(held)).isEqualTo(Operator.Result.NOT_FOUND);

        started = (Begun.Started<String>) engine.begin(CALL, UTF8);

        started.complete("done");
        assertThat(eve.resolve(slot(), UTF8, "forged")).isEqualTo(Operator.Result.SETTLED_BEFORE);
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("done", true));
    }

    @Test
    void anAnswerIsShownToAnOperatorOnlyOnRequestAndThatIsTold() {
        engine.run(CALL, UTF8, this::countedRun);

        assertThat(engine.operator("eve").look(CALL.key()).orElseThrow().toString())
                .doesNotContain("run 1");
        assertThat(engine.operator("eve").reveal(CALL.key()))
                .contains("run 1".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(events).contains(new Event.Operated("default", CALL.key(), "eve", Event.Act.REVEALED));
    }

    @Test
    void derivedKeysAreStablePerNameAndDoNotShowTheClientsKey() {
        Begun.Started<String> first = (Begun.Started<String>) engine.begin(CALL, UTF8);
        String charge = first.attempt().derive("charge");
        String mail = first.attempt().derive("mail");
        first.release();
        String again =
                ((Begun.Started<String>) engine.begin(CALL, UTF8)).attempt().derive("charge");

        assertThat(charge).isEqualTo(again).isNotEqualTo(mail).hasSize(36).doesNotContain("17");
        assertThat(charge).isEqualTo("766b421e-fee4-8bcc-9cc5-b2a42f6f0714");
    }

    @Test
    void aSecretChangesEveryDerivedKey() {
        Engine secret = engine.withDerivationSecret(new byte[16]);
        String charge =
                ((Begun.Started<String>) secret.begin(CALL, UTF8)).attempt().derive("charge");

        assertThat(charge).isNotEqualTo("766b421e-fee4-8bcc-9cc5-b2a42f6f0714");
        assertThatThrownBy(() -> engine.withDerivationSecret(new byte[15])).hasMessageContaining("15");
    }

    @Test
    void aListenerThatThrowsHarmsNobody() throws Exception {
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        Engine told = engine.withListener(event -> {
            throw new IllegalStateException("listener");
        });
        Thread thread = new Thread(() -> told.run(CALL, UTF8, this::countedRun));
        thread.setUncaughtExceptionHandler((t, e) -> uncaught.add(e));
        thread.start();
        thread.join();

        assertThat(uncaught).hasSize(1).first().asString().contains("listener");
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", true));
    }

    @Test
    void orThrowGivesTheValueOrSaysWhyThereIsNone() {
        assertThat(engine.run(CALL, UTF8, this::countedRun).orThrow()).isEqualTo("run 1");
        Call other = Call.of(CALL.key(), Fingerprint.of("900 EUR"));

        assertThatThrownBy(() -> engine.run(other, UTF8, this::countedRun).orThrow())
                .isInstanceOf(NotDone.class)
                .hasMessageContaining("MISMATCH");
    }

    @Test
    void theEventsTellTheStoryOfAKeyWithoutItsAnswer() {
        engine.run(CALL, UTF8, this::countedRun);
        engine.run(CALL, UTF8, this::countedRun);

        assertThat(events)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("Executed", "Replayed");
        assertThat(events.toString()).doesNotContain("run 1");
    }

    @Test
    void aBusyCallIsToldToComeBackNoLaterThanTheLeaseLasts() {
        Engine brief = engine.with(
                Operation.named("brief").lease(Duration.ofMillis(500)).retryAfter(Duration.ofSeconds(5)));
        Begun<String> started = brief.begin(CALL, UTF8);

        assertThat(((Begun.Answered<String>) brief.begin(CALL, UTF8)).outcome())
                .isInstanceOfSatisfying(
                        Outcome.Busy.class,
                        busy -> assertThat(busy.retryAfter()).isLessThanOrEqualTo(Duration.ofMillis(500)));
        ((Begun.Started<String>) started).release();
    }

    @Test
    void aDecisionOnAnEarlierDoubtDoesNotTouchALaterOne() {
        ((Begun.Started<String>) engine.begin(CALL, UTF8)).hold("time-out");
        Slot first = slot();
        assertThat(engine.operator("eve").release(first)).isEqualTo(Operator.Result.APPLIED);
        ((Begun.Started<String>) engine.begin(CALL, UTF8)).hold("time-out");

        assertThat(engine.operator("mallory").release(first)).isEqualTo(Operator.Result.CHANGED);
        assertThat(store.amend(CALL.key(), first.result(), new Settlement.Release()))
                .as("the two doubts are different bytes")
                .isFalse();
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Refused<>(Reason.UNKNOWN));
    }

    private Slot slot() {
        return store.look(CALL.key()).orElseThrow();
    }

    private String countedRun(Attempt attempt) {
        return "run " + runs.incrementAndGet();
    }

    private long fence() {
        return slot().fence();
    }

    private static Codec<String> codecThatThrows(Throwable failure) {
        return new Codec<>() {
            @Override
            public byte[] encode(String value) {
                throw sneaky(failure);
            }

            @Override
            public String decode(byte[] bytes) {
                throw sneaky(failure);
            }
        };
    }

    private static RuntimeException sneaky(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (RuntimeException) failure;
    }
}
