// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Cases 29 to 33: what happens while a request runs. */
interface ConcurrencyCases {

    @Case({29, 30})
    default void aDuplicateOfARunningRequestIsToldToComeAgain(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        CompletableFuture<WireResponse> sent = bench.blocking(pay);

        WireResponse duplicate = bench.send(pay).refuses(409, "in-progress");
        bench.release();
        WireResponse first = sent.join().isFirst(201);

        duplicate.asksForARetry();
        bench.send(pay).replays(first);
        bench.ran(1);
    }

    @Case(31)
    default void anotherPayloadUnderARunningKeyIsRefusedForGood(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        CompletableFuture<WireResponse> sent = bench.blocking(pay);

        WireResponse other = bench.send(pay.saying("{}"));
        bench.release();

        other.refuses(422, "key-reused");
        sent.join().isFirst(201);
        bench.ran(1);
    }

    @Case(32)
    default void ofManyAtOnceOnTwoServersOneRuns(HttpBench bench) {
        ContractServer other = bench.another();
        for (int round = 0; round < 3; round++) {
            WireRequest pay = bench.unkeyed(Turn.paid()).key(bench.key() + round);
            List<CompletableFuture<WireResponse>> sending = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                sending.add(bench.sending(i % 2 == 0 ? bench.server() : other, pay));
            }
            List<WireResponse> all =
                    sending.stream().map(CompletableFuture::join).toList();

            assertEquals(1, all.stream().filter(ConcurrencyCases::isFirst).count(), all::toString);
            assertTrue(all.stream().allMatch(ConcurrencyCases::isAnswered), all::toString);
            assertEquals(round + 1, bench.effects(other), "effects");
        }
    }

    private static boolean isFirst(WireResponse got) {
        return got.status() == 201 && !got.replayed();
    }

    private static boolean isAnswered(WireResponse got) {
        return got.status() == 201 || got.problem().equals("in-progress");
    }

    @Case(value = 33, on = HttpSetting.WAITING)
    default void aDuplicateThatWaitsGetsTheAnswer(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        CompletableFuture<WireResponse> sent = bench.blocking(pay);
        List<CompletableFuture<WireResponse>> waiting =
                Stream.generate(() -> bench.sending(pay)).limit(8).toList();

        bench.release();

        WireResponse first = sent.join().isFirst(201);
        waiting.forEach(each -> each.join().replays(first));
        bench.ran(1);
    }

    @Case(value = 33, on = HttpSetting.WAITING)
    default void aDuplicateThatWaitedInVainIsToldToComeAgain(HttpBench bench) throws Exception {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        CompletableFuture<WireResponse> sent = bench.blocking(pay);

        WireResponse waited = afterItsTime(bench, bench.sending(pay)).refuses(409, "in-progress");
        bench.release();

        waited.asksForARetry();
        sent.join().isFirst(201);
        bench.ran(1);
    }

    /** Time passes in small parts, because it cannot be seen when the wait begins. */
    private static WireResponse afterItsTime(HttpBench bench, CompletableFuture<WireResponse> waiting)
            throws InterruptedException, ExecutionException {
        while (true) {
            try {
                return waiting.get(20, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                bench.servers().elapse(Duration.ofMillis(100));
            }
        }
    }
}
