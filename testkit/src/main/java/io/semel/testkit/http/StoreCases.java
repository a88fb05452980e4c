// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Cases 65 and 66: what the store cannot keep, and a store that cannot be reached. */
interface StoreCases {

    @Case(value = 65, on = HttpSetting.SMALL_ANSWERS)
    default void anAnswerTooLargeToKeepReachesItsClientWhole(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.paid().filled(3_000_000));

        assertEquals(3_000_009, bench.send(pay).isFirst(201).body().length);
        bench.send(pay).refuses(410, "result-unavailable");
        bench.ran(1);
    }

    @Case(66)
    default void nothingRunsWhileTheStoreCannotBeReached(HttpBench bench) {
        ContractServer server = bench.another();
        server.cut();
        WireResponse refused = bench.send(server, bench.pay());
        server.mend();

        refused.refuses(503, "store-unavailable").asksForARetry();
        assertEquals(0, bench.runs());
        bench.send(server, bench.pay()).isFirst(201);
    }

    @Case(value = 66, on = HttpSetting.FAIL_OPEN)
    default void requestsRunUnprotectedWhereTheRulesSaySo(HttpBench bench) {
        ContractServer server = bench.another();
        server.cut();
        bench.send(server, bench.pay()).isFirst(201);
        bench.send(server, bench.pay()).isFirst(201);
        server.mend();

        assertEquals(2, bench.runs());
    }
}
