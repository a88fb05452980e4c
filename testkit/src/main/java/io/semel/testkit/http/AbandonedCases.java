// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Cases 48 and 52 to 54: a holder fell silent, or seems to have. */
interface AbandonedCases {

    Duration LEASE = Duration.ofSeconds(30);
    Duration OVER_LEASE = Duration.ofSeconds(31);

    @Case(
            value = {48, 54},
            where = Case.Where.LEASED)
    default void anAbandonedCallIsRefusedAsUnknown(HttpBench bench) throws IOException {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        abandon(bench, pay);

        bench.send(pay).refuses(409, "outcome-unknown");
        bench.send(pay).refuses(409, "outcome-unknown");
        bench.ran(1);
        bench.release();
    }

    @Case(
            value = {48, 54},
            on = HttpSetting.RERUN,
            where = Case.Where.LEASED)
    default void anAbandonedCallRunsAgain(HttpBench bench) throws IOException {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        abandon(bench, pay);

        WireResponse second = bench.send(pay).isFirst(201);

        assertEquals("payment 2", second.text());
        bench.send(pay).replays(second);
        bench.ran(2);
        bench.release();
    }

    @Case(
            value = {48, 54},
            on = HttpSetting.FOUND_DONE,
            where = Case.Where.LEASED)
    default void anAbandonedCallThatIsFoundDoneIsAnswered(HttpBench bench) throws IOException {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        abandon(bench, pay);

        WireResponse found = bench.send(pay);

        assertEquals("found", found.text());
        found.replays(found);
        bench.send(pay).replays(found);
        bench.ran(1);
        bench.release();
    }

    @Case(
            value = {48, 54},
            on = HttpSetting.FOUND_NOT_DONE,
            where = Case.Where.LEASED)
    default void anAbandonedCallThatIsFoundNotDoneRuns(HttpBench bench) throws IOException {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        abandon(bench, pay);

        WireResponse second = bench.send(pay).isFirst(201);

        assertEquals("payment 2", second.text());
        bench.send(pay).replays(second);
        bench.ran(2);
        bench.release();
    }

    @Case(value = 54, where = Case.Where.LEASED)
    default void aDeadHolderKeepsItsKeyUntilItsLeaseEnds(HttpBench bench) throws IOException {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        kill(bench, pay);

        bench.send(pay).refuses(409, "in-progress");
        bench.ran(1);
        bench.release();
    }

    private static void abandon(HttpBench bench, WireRequest pay) throws IOException {
        kill(bench, pay);
        bench.servers().elapse(OVER_LEASE);
    }

    /** The server dies while the first run blocks. */
    private static void kill(HttpBench bench, WireRequest pay) throws IOException {
        ContractServer doomed = bench.another();
        try (WireConnection connection = new WireConnection(doomed.port())) {
            connection.write(pay);
            bench.awaitBlocked();
            doomed.kill();
        }
    }

    /** The first server cannot renew its lease for a while, and then goes on. */
    @Case(value = 52, on = HttpSetting.RERUN, where = Case.Where.LEASED)
    default void aHolderThatWasOvertakenCannotFinish(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        ContractServer slow = bench.another();
        CompletableFuture<WireResponse> sent = bench.sending(slow, pay);
        bench.awaitBlocked();
        slow.cut();
        bench.servers().elapse(OVER_LEASE);

        WireResponse second = bench.send(pay).isFirst(201);
        slow.mend();
        bench.release();

        sent.join().refuses(409, "in-progress");
        bench.send(pay).replays(second);
        bench.send(slow, pay).replays(second);
        bench.ran(2);
    }

    @Case(value = 53, on = HttpSetting.RERUN, where = Case.Where.LEASED)
    default void aHolderThatRenewsItsLeaseIsNotOvertaken(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        CompletableFuture<WireResponse> sent = bench.blocking(pay);
        for (int i = 0; i < 4; i++) {
            bench.servers().elapse(LEASE.dividedBy(2));
            bench.send(pay).refuses(409, "in-progress");
        }

        bench.release();

        WireResponse first = sent.join().isFirst(201);
        bench.send(pay).replays(first);
        bench.ran(1);
    }
}
