// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StormTest {

    private static final int ORDERS = 600;

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);

    @Test
    void theBugChargesTwice() throws InterruptedException {
        Result result = storm(Version.BUG);
        assertThat(result.ledger().doubleCharges()).isPositive();
        assertThat(result.ledger().overchargedOrders()).isPositive();
        assertThat(result.tally().differentAnswers.sum()).isPositive();
        assertThat(result.asPromised()).isFalse();
        assertThat(printed(result))
                .contains("charged more than once")
                .contains("The same storm with Semel: ./semel demo");
    }

    @Test
    void theHalfFixChargesTwiceWhoeverComesAtOnce() throws InterruptedException {
        Result result = storm(Version.HALF_FIX);
        assertThat(result.ledger().doubleCharges()).isPositive();
        assertThat(result.asPromised()).isFalse();
    }

    @Test
    void theFixChargesEveryOrderOnceAndAnswersEveryRetryTheSame() throws InterruptedException {
        Result result = storm(Version.FIX);
        Tally tally = result.tally();
        assertThat(result.ledger().doubleCharges()).isZero();
        assertThat(result.ledger().executions()).isEqualTo(ORDERS);
        assertThat(tally.differentAnswers.sum()).isZero();
        assertThat(tally.unanswered.sum()).isZero();
        assertThat(result.asPromised()).isTrue();
        assertThat(printed(result)).endsWith("Every order was charged once, and every retry got the first answer.\n");
    }

    @Test
    void everyDeliveryOfTheFixIsAccountedFor() throws InterruptedException {
        Result result = storm(Version.FIX);
        Tally tally = result.tally();
        assertThat(tally.replays.sum()).isPositive();
        assertThat(tally.busy.sum()).isPositive();
        assertThat(tally.conflicts.sum()).isPositive();
        assertThat(tally.failures.sum()).isPositive();
        assertThat(tally.lostAnswers.sum()).isPositive();
        assertThat(tally.lostRequests.sum()).isPositive();
        assertThat(tally.deliveries.sum())
                .isEqualTo(result.ledger().executions()
                        + tally.replays.sum()
                        + tally.busy.sum()
                        + tally.conflicts.sum()
                        + tally.failures.sum());
        assertThat(tally.millis(0.5)).isPositive().isLessThanOrEqualTo(tally.millis(0.99));
    }

    @ParameterizedTest
    @EnumSource
    void oneClientAloneRetriesToo(Version version) throws InterruptedException {
        Result result = storm(version, "--orders", "40", "--threads", "1");
        assertThat(result.tally().requests.sum()).isEqualTo(40);
        assertThat(result.tally().deliveries.sum()).isGreaterThan(40);
    }

    @Test
    void theStormEndsWhenItsTimeIsUp() throws InterruptedException {
        Result result = storm(Version.FIX, "--seconds", "1");
        assertThat(result.seconds()).isGreaterThanOrEqualTo(1);
        assertThat(result.asPromised()).isTrue();
    }

    @Test
    void aPromiseThatIsNotKeptIsAFailureOfTheFixAlone() {
        Tally tally = new Tally();
        tally.answered("order-1", "receipt-1");
        tally.answered("order-1", "receipt-2");
        assertThat(new Result(Version.FIX, tally, new Ledger(1), 1).exitCode()).isEqualTo(1);
        assertThat(printed(new Result(Version.FIX, tally, new Ledger(1), 1))).contains("please report this");
        assertThat(new Result(Version.BUG, tally, new Ledger(1), 1).exitCode()).isZero();
    }

    private Result storm(Version version) throws InterruptedException {
        return storm(version, "--orders", "" + ORDERS, "--threads", "8", "--seed", "42");
    }

    private Result storm(Version version, String... more) throws InterruptedException {
        Options given = Options.parse(more);
        Options options = new Options(version, given.orders(), given.limit(), given.threads(), given.seed(), false);
        return new Storm(options).run(new Progress(out, false));
    }

    private String printed(Result result) {
        shown.reset();
        result.print(out);
        return shown.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
