// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Rejection;
import io.semel.WhenAbandoned;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Services that are right, each in its way, and tested as a user would. */
class RightServicesTest {

    @SentTwice
    void aPaymentIsChargedOnceByAProviderThatTakesKeys(Sender sender) {
        sender.afterCrash(AfterCrash.ANSWERED)
                .start(() -> new Payments(Engine.on(sender.store()).with(RERUN), sender.effects()))
                .send(payments -> payments.pay("order-17", 500))
                .hasOneEffect()
                .answersEqually();
    }

    @SentTwice
    void aDuplicateMayWaitForTheFirst(Sender sender) {
        Operation waiting = Operation.named("pay").waitWhenBusy(Duration.ofSeconds(20));
        sender.start(() -> new Payments(Engine.on(sender.store()).with(waiting), sender.effects()))
                .send(payments -> payments.pay("order-17", 500))
                .hasOneEffect()
                .answersEqually();
    }

    @SentTwice
    void withoutAChoiceTheEffectIsThereOnceAtMost(Sender sender) {
        sender.start(() -> Engine.on(sender.store()))
                .send(engine -> engine.run(CALL, Codec.utf8(), attempt -> {
                    sender.effects().add("charge 500");
                    return "charged";
                }))
                .hasOneEffect()
                .answersEqually();
    }

    @SentTwice
    void aWithdrawalThatMayHaveHappenedIsRefused(Sender sender) {
        Operation careful = Operation.named("withdraw").whenAbandoned(WhenAbandoned.refuse());
        sender.afterCrash(AfterCrash.REFUSED)
                .start(() -> Engine.on(sender.store()).with(careful))
                .send(engine -> engine.run(CALL, Codec.utf8(), attempt -> {
                    sender.effects().add("withdraw 500");
                    return "withdrawn";
                }))
                .hasOneEffect()
                .answersEqually();
    }

    @SentTwice
    void aTransferIsLookedUpAfterACrash(Sender sender) {
        Map<String, String> bank = new HashMap<>();
        WhenAbandoned asking = WhenAbandoned.reconcile(
                (call, attempt) -> Optional.ofNullable(bank.get(call.key().id()))
                        .map(done -> WhenAbandoned.Verdict.happened(Codec.utf8(), done))
                        .orElseGet(WhenAbandoned.Verdict::didNotHappen));
        Operation transfer = Operation.named("transfer").whenAbandoned(asking).demand(Level.LEASED);
        sender.afterCrash(AfterCrash.ANSWERED)
                .start(() -> Engine.on(sender.store()).with(transfer))
                .send(engine -> engine.run(CALL, Codec.utf8(), attempt -> {
                    sender.effects().add("transfer 500");
                    bank.put(attempt.key().id(), "transferred");
                    return "transferred";
                }))
                .hasOneEffect()
                .answersEqually();
    }

    @SentTwice
    void aHarmlessRepeatMayBeDeclared(Sender sender) {
        sender.afterCrash(AfterCrash.REPEATED)
                .start(() -> Engine.on(sender.store()).with(RERUN))
                .send(engine -> engine.run(CALL, Codec.bytes(), attempt -> {
                    sender.effects().add("warm the cache");
                    return new byte[] {1, 2, 3};
                }))
                .hasOneEffect()
                .answersEqually();
    }

    @SentTwice
    void aRejectionIsAnAnswerToo(Sender sender) {
        sender.start(() -> Engine.on(sender.store()))
                .send(engine -> engine.run(CALL, Codec.utf8(), attempt -> {
                    throw new Rejection("LIMIT", "500 is more than the limit");
                }))
                .hasEffects(0)
                .answersEqually();
    }

    @SentTwice
    void aServiceMayAnswerNothing(Sender sender) {
        assertThat(sender.start(() -> Engine.on(sender.store()).with(RERUN))
                        .send(engine -> engine.run(CALL, Codec.nothing(), attempt -> {
                                    sender.effects().addOnce(attempt.derive("mail"), "mail");
                                    return null;
                                })
                                .orThrow())
                        .hasOneEffect()
                        .answersEqually()
                        .answer())
                .isNull();
        assertThat(sender.effects().list()).containsExactly("mail");
    }

    @SentTwice
    void twoRequestsAreTwoEffects(Sender sender) {
        for (String order : new String[] {"order-17", "order-18"}) {
            sender.start(() -> new Payments(Engine.on(sender.store()).with(RERUN), sender.effects()))
                    .send(payments -> payments.pay(order, 500))
                    .hasOneEffect()
                    .answersEqually();
        }
        assertThat(sender.effects().count()).isEqualTo(2);
    }

    private static final Operation RERUN = Operation.named("rerun").whenAbandoned(WhenAbandoned.rerun());
    private static final Call CALL = Call.of(Key.of("right", "order-17"), Fingerprint.of("500"));

    private record Payments(Engine engine, Effects provider) {

        String pay(String order, int cents) {
            Call call = Call.of(Key.of("payments", order), Fingerprint.of(order, "" + cents));
            return engine.run(call, Codec.utf8(), attempt -> charge(attempt.derive("charge"), order))
                    .orThrow();
        }

        private String charge(String providerKey, String order) {
            return "receipt for " + provider.addOnce(providerKey, "charge " + order);
        }
    }
}
