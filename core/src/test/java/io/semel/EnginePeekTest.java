// SPDX-License-Identifier: Apache-2.0
package io.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is answered without an attempt. */
@Timeout(60)
class EnginePeekTest {

    private static final Call CALL = Call.of(Key.of("payments", "order-17"), Fingerprint.of("500 EUR"));
    private static final Codec<String> UTF8 = Codec.utf8();

    private final MemoryStore store = new MemoryStore();
    private final Engine engine = Engine.on(store);

    @Test
    void aFreshCallHasNoAnswerAndStaysFresh() {
        assertThat(engine.peek(CALL, UTF8)).isEmpty();
        assertThat(engine.run(CALL, UTF8, attempt -> "paid")).isEqualTo(new Done<>("paid", false));
    }

    @Test
    void aRetryIsAnsweredAndAnotherRequestRefused() {
        engine.run(CALL, UTF8, attempt -> "paid");

        assertThat(engine.peek(CALL, UTF8)).contains(new Done<>("paid", true));
        assertThat(engine.peek(Call.of(CALL.key(), Fingerprint.of("900 EUR")), UTF8))
                .contains(new Refused<>(Reason.MISMATCH));
    }

    @Test
    void aRejectionIsThrownAgain() {
        Rejection rejection = new Rejection("no-funds", "There is not enough on the account.");
        assertThatThrownBy(() -> engine.run(CALL, UTF8, attempt -> {
                    throw rejection;
                }))
                .isSameAs(rejection);

        assertThatThrownBy(() -> engine.peek(CALL, UTF8))
                .isInstanceOfSatisfying(
                        Rejection.class, again -> assertThat(again.replayed()).isTrue());
    }

    @Test
    void aDuplicateOfARunningCallIsBusyAtOnceOrWaitsForItsAnswer() {
        Engine patient = engine.with(Operation.named("pay").waitWhenBusy(Duration.ofMinutes(1)));
        CompletableFuture<Object> waiting = new CompletableFuture<>();
        engine.run(CALL, UTF8, attempt -> {
            assertThat(engine.peek(CALL, UTF8)).containsInstanceOf(Outcome.Busy.class);
            var unused = CompletableFuture.runAsync(
                    () -> waiting.complete(patient.peek(CALL, UTF8).orElseThrow()));
            return "paid";
        });

        assertThat(waiting.join()).isEqualTo(new Done<>("paid", true));
    }

    @Test
    void whatWasAbandonedIsLeftToAClaim() {
        Claim.Granted lost = (Claim.Granted) store.claim(CALL, "lost", Duration.ofMinutes(1));
        store.settle(CALL.key(), "lost", lost.fence(), new Settlement.Renew(Duration.ZERO));

        assertThat(engine.peek(CALL, UTF8)).isEmpty();
    }
}
