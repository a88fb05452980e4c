// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Cases 48 and 49: what is kept of a failure. */
interface FailureCases {

    @Case(48)
    default void aServerErrorIsForgottenAndARetryRuns(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.answer(500), Turn.answer(502), Turn.paid());

        bench.send(pay).isFirst(500);
        bench.send(pay).isFirst(502);
        WireResponse paid = bench.send(pay).isFirst(201);

        bench.send(pay).replays(paid);
        bench.ran(3);
    }

    @Case(48)
    default void whatAHandlerThrowsIsForgottenToo(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.failing(), Turn.paid());

        bench.send(pay).isFirst(500);
        bench.send(pay).isFirst(201);
        bench.ran(2);
    }

    @Case(value = 48, on = HttpSetting.ERRORS_HELD)
    default void aHeldServerErrorMakesRetriesUnknown(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.answer(500), Turn.paid());

        bench.send(pay).isFirst(500);
        bench.send(pay).refuses(409, "outcome-unknown");
        bench.ran(1);
    }

    @Case(value = 49, on = HttpSetting.ERRORS_RECORDED)
    default void aRecordedServerErrorIsReplayed(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.answer(500), Turn.paid());
        WireResponse first = bench.send(pay).isFirst(500);

        bench.send(pay).replays(first);
        assertEquals("run 1", first.text());
        bench.ran(1);
    }
}
