// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;

/** Cases 45 to 47: the record commits in the transaction of the handler. */
interface JoinedCases {

    @Case(value = 45, where = Case.Where.JOINED)
    default void whatThrowsLeavesNeitherEffectNorRecord(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.failing(), Turn.paid());
        long before = bench.records();

        bench.send(pay).isFirst(500);

        assertEquals(0, bench.effects(bench.server()));
        assertEquals(before, bench.records());
        WireResponse first = bench.send(pay).isFirst(201);
        bench.send(pay).replays(first);
        assertEquals(1, bench.effects(bench.server()));
        bench.ran(2);
    }

    /** Its client is gone before the answer is written, and then its server. */
    @Case(value = 46, where = Case.Where.JOINED)
    default void anAnswerThatWasNeverDeliveredIsReplayed(HttpBench bench) throws IOException {
        WireRequest pay = bench.pay(Turn.paid().blocked());
        ContractServer doomed = bench.another();
        long before = bench.records();
        try (WireConnection connection = new WireConnection(doomed.port())) {
            connection.write(pay);
            bench.awaitBlocked();
            connection.reset();
        }
        bench.release();
        while (bench.records() == before) {
            Thread.onSpinWait();
        }
        doomed.kill();

        WireResponse retry = bench.send(pay);

        assertEquals("payment 1", retry.text());
        retry.replays(retry);
        assertEquals(1, bench.effects(bench.server()));
    }

    @Case(value = 47, where = Case.Where.JOINED)
    default void whatWasKilledBeforeItsCommitRunsAgainOnce(HttpBench bench) throws IOException {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        ContractServer doomed = bench.another();
        try (WireConnection connection = new WireConnection(doomed.port())) {
            connection.write(pay);
            bench.awaitBlocked();
            doomed.kill();
        }
        bench.release();

        WireResponse first = bench.send(pay).isFirst(201);

        bench.send(pay).replays(first);
        assertEquals(1, bench.effects(bench.server()));
    }
}
