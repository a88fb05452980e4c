// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Engine;
import io.semel.Operation;
import io.semel.WhenAbandoned;
import io.semel.testkit.Sender;
import io.semel.testkit.SentTwice;
import io.semel.testkit.Way;
import org.junit.jupiter.api.Test;

/** The README's fix under the README's own test. */
class SentTwiceTest {

    private final Ledger ledger = new Ledger(42);

    @SentTwice
    void aPaymentIsChargedOnce(Sender sender) {
        sender.start(() -> new Fixed(Engine.on(sender.store()), ledger))
                .send(payments -> payments.pay("order-17", 500))
                .hasEffects(1, ledger::charges)
                .answersEqually();
    }

    @Test
    void theHalfFixIsCaught() {
        assertThatThrownBy(() -> Sender.of(Way.CRASH_BEFORE_CLAIM)
                        .start(() -> new HalfFixed(ledger))
                        .send(payments -> payments.pay("order-17", 500))
                        .hasEffects(1, ledger::charges))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void runningAgainWithoutADerivedKeyIsCaught() {
        Sender sender = Sender.of(Way.CRASH_BEFORE_COMPLETE);
        Operation rerunning = Operation.named("pay").whenAbandoned(WhenAbandoned.rerun());
        assertThatThrownBy(() -> sender.start(
                                () -> new Fixed(Engine.on(sender.store()).with(rerunning), ledger))
                        .send(payments -> payments.pay("order-17", 500))
                        .hasEffects(1, ledger::charges))
                .hasMessageContaining("2 effects instead of 1");
    }
}
