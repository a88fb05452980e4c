// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import static io.semel.testkit.Invocations.passed;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.NotDone;
import io.semel.Operation;
import io.semel.StoreException;
import io.semel.WhenAbandoned;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Services that are wrong, each in its way: the extension has to fail them, and to say why. */
class WrongServicesTest {

    private static final Operation RERUN = Operation.named("pay").whenAbandoned(WhenAbandoned.rerun());
    private static final Call CALL = Call.of(Key.of("payments", "order-17"), Fingerprint.of("500"));

    @Test
    void aServiceWithoutAnEngineFailsInEveryWay() {
        Map<Way, String> messages = Invocations.of(Unguarded.class);
        assertThat(messages.get(Way.ONE_AFTER_THE_OTHER))
                .startsWith("A request was sent twice, one after the other: 2 effects instead of 1.")
                .contains("The store was never asked. Run the work through an engine built on sender.store().");
        assertThat(messages.get(Way.AT_ONCE)).contains("2 effects instead of 1");
        assertThat(messages.get(Way.CRASH_AFTER_CLAIM))
                .startsWith("The process was to crash at AFTER_CLAIM, but never got there: the store was never asked.");
        assertThat(messages).hasSize(Way.values().length).doesNotContainValue(passed());
    }

    static class Unguarded {
        @SentTwice
        void test(Sender sender) {
            sender.start(() -> sender.effects())
                    .send(effects -> charge(effects))
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void aKeyMadeUpPerCallIsNamed() {
        String message = Invocations.of(RandomKey.class).get(Way.ONE_AFTER_THE_OTHER);
        assertThat(message)
                .contains("2 effects instead of 1")
                .containsPattern(
                        "Every delivery claimed a key of its own: payments/[-0-9a-f]{36}, payments/[-0-9a-f]{36}\\.")
                .contains("Take the key from the request");
    }

    static class RandomKey {
        @SentTwice
        void test(Sender sender) {
            sender.start(() -> Engine.on(sender.store()))
                    .send(engine -> engine.run(randomKey(), Codec.utf8(), attempt -> charge(sender.effects())))
                    .hasOneEffect()
                    .answersEqually();
        }

        private static Call randomKey() {
            return Call.of(Key.of("payments", UUID.randomUUID().toString()), Fingerprint.of("500"));
        }
    }

    @Test
    void aMapThatIsCheckedBeforeItIsWrittenFailsAtOnceAndAfterACrash() {
        Map<Way, String> messages = Invocations.of(CheckThenAct.class);
        assertThat(messages.get(Way.ONE_AFTER_THE_OTHER)).isEqualTo(passed());
        assertThat(messages.get(Way.AT_ONCE)).contains("2 effects instead of 1").contains("The store was never asked");
        assertThat(messages.get(Way.CRASH_BEFORE_COMPLETE)).contains("never got there");
    }

    static class CheckThenAct {
        @SentTwice
        void test(Sender sender) {
            sender.start(ConcurrentHashMap<String, String>::new)
                    .send(answers -> {
                        String known = answers.get("order-17");
                        if (known == null) {
                            known = charge(sender.effects());
                            answers.put("order-17", known);
                        }
                        return known;
                    })
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void aLockInOneProcessFailsInTwo() {
        Map<Way, String> messages = Invocations.of(LockedMap.class);
        assertThat(messages.get(Way.ONE_AFTER_THE_OTHER)).isEqualTo(passed());
        assertThat(messages.get(Way.AT_ONCE)).isEqualTo(passed());
        assertThat(messages.get(Way.AT_ONCE_TO_TWO_PROCESSES)).contains("to two processes: 2 effects instead of 1");
    }

    static class LockedMap {
        @SentTwice
        void test(Sender sender) {
            sender.start(ConcurrentHashMap<String, String>::new)
                    .send(answers -> answers.computeIfAbsent("order-17", order -> charge(sender.effects())))
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void anEffectRepeatedAfterACrashIsToldInFull() {
        Map<Way, String> messages = Invocations.of(NoDerivedKey.class);
        assertThat(messages.get(Way.CRASH_BEFORE_COMPLETE).lines())
                .containsExactly(
                        "A request was sent again after a crash at BEFORE_COMPLETE (the work had run, and its answer"
                                + " was not recorded): 2 effects instead of 1.",
                        "Nobody can know whether the attempt that crashed had its effect, and the operation's policy,"
                                + " RERUN, ran it again. Either pass attempt.derive(\"…\") downstream as its idempotency"
                                + " key, so that the repeat is told from a second wish; or choose whenAbandoned(refuse())"
                                + " or whenAbandoned(reconcile(…)); or use a store joined to the transaction of the"
                                + " effect, which a crash rolls back. Where a repeat is harmless, say so with"
                                + " sender.afterCrash(REPEATED).",
                        "What happened:",
                        "   1. delivery 1: sent",
                        "   2. delivery 1: claimed payments/order-17 and was told Granted (fence 1)",
                        "   3. delivery 1: effect 1: charge",
                        "   4. delivery 1: the process crashed at BEFORE_COMPLETE: the work had run, and its answer"
                                + " was not recorded",
                        "   5. delivery 1: its client never heard of it",
                        "   6. another process started, and the leases of the crashed one ran out",
                        "   7. delivery 2: sent",
                        "   8. delivery 2: claimed payments/order-17 and was told Granted (fence 2, as an earlier"
                                + " holder fell silent)",
                        "   9. delivery 2: effect 2: charge",
                        "  10. delivery 2: recorded the answer of payments/order-17",
                        "  11. delivery 2: was answered \"receipt 2\"",
                        "  12. delivery 3: sent",
                        "  13. delivery 3: claimed payments/order-17 and was told Settled",
                        "  14. delivery 3: was answered \"receipt 2\"");
        messages.remove(Way.CRASH_BEFORE_COMPLETE);
        assertThat(messages.values()).containsOnly(passed());
    }

    static class NoDerivedKey {
        @SentTwice
        void test(Sender sender) {
            sender.start(() -> Engine.on(sender.store()).with(RERUN))
                    .send(engine -> engine.run(CALL, Codec.utf8(), attempt -> charge(sender.effects()))
                            .orThrow())
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void aServiceThatSwallowsBusyIsAskedWhatItMeans() {
        Map<Way, String> messages = Invocations.of(Swallowing.class);
        assertThat(messages.get(Way.AT_ONCE))
                .contains("the answers differ: delivery ")
                .contains(" got \"accepted\"")
                .contains(" got \"receipt 1\"")
                .contains("say so with sender.busyWhen(…), or let duplicates wait with Operation.waitWhenBusy(…)");
        assertThat(messages.get(Way.ONE_AFTER_THE_OTHER)).isEqualTo(passed());
    }

    static class Swallowing {
        @SentTwice({Way.AT_ONCE, Way.ONE_AFTER_THE_OTHER})
        void test(Sender sender) {
            sender.start(() -> Engine.on(sender.store()))
                    .send(engine -> {
                        try {
                            return engine.run(CALL, Codec.utf8(), attempt -> charge(sender.effects()))
                                    .orThrow();
                        } catch (NotDone e) {
                            return "accepted";
                        }
                    })
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    @Test
    void aServiceThatGoesOnWithoutItsStoreIsCaught() {
        Map<Way, String> messages = Invocations.of(FailingOpen.class);
        assertThat(messages.get(Way.STORE_DOWN))
                .startsWith("A request was sent while the store is down, then again: 2 effects instead of 1.")
                .contains("do not run the work without the engine");
        messages.remove(Way.STORE_DOWN);
        assertThat(messages.values()).containsOnly(passed());
    }

    static class FailingOpen {
        @SentTwice
        void test(Sender sender) {
            sender.afterCrash(AfterCrash.REPEATED)
                    .start(() -> Engine.on(sender.store()).with(RERUN))
                    .send(engine -> {
                        try {
                            return engine.run(CALL, Codec.utf8(), attempt -> charge(sender.effects()))
                                    .orThrow();
                        } catch (StoreException e) {
                            return charge(sender.effects());
                        }
                    })
                    .hasOneEffect()
                    .answersEqually();
        }
    }

    static String charge(Effects effects) {
        effects.add("charge");
        return "receipt " + effects.count();
    }
}
