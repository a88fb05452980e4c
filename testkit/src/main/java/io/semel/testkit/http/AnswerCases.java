// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.semel.store.Inspectable;
import java.util.List;

/** Cases 21 to 23, 34 to 39 and 60: what runs, and what is answered again. */
interface AnswerCases {

    @Case(21)
    default void aFreshKeyRunsOnceAndLeavesARecord(HttpBench bench) {
        long before = bench.records();

        WireResponse first = bench.send(bench.pay()).isFirst(201);

        assertEquals("payment 1", first.text());
        bench.ran(1);
        if (bench.store() instanceof Inspectable) {
            assertEquals(before + 1, bench.records(), "records");
        }
    }

    @Case({22, 23})
    default void everyRepetitionGetsTheSameStatusBytesAndLocation(HttpBench bench) {
        WireResponse first = bench.send(bench.pay()).isFirst(201);

        for (int i = 0; i < 3; i++) {
            WireResponse retry = bench.send(bench.pay()).replays(first);
            assertEquals(List.of("/payments/1"), retry.headers("Location"));
            assertEquals(first.headers("Content-Type"), retry.headers("Content-Type"));
        }
        bench.ran(1);
        assertEquals(1, bench.effects(bench.server()));
    }

    @Case(22)
    default void aConnectionCarriesManyRequestsAndTheirReplays(HttpBench bench) throws Exception {
        try (WireConnection connection = new WireConnection(bench.server().port())) {
            for (int i = 0; i < 10; i++) {
                connection.write(bench.unkeyed(Turn.paid()).key(bench.key() + i / 2));
                WireResponse got = connection.read("POST");
                assertEquals("payment " + (i / 2 + 1), got.text());
                assertEquals(i % 2 == 1, got.replayed());
            }
        }
    }

    @Case(22)
    default void aLargeAnswerIsReplayedWhole(HttpBench bench) {
        WireRequest large = bench.pay(Turn.paid().filled(200_000));
        WireResponse first = bench.send(large).isFirst(201);

        assertEquals(200_009, first.body().length);
        bench.send(large).replays(first);
    }

    @Case(34)
    default void withoutAKeyEveryRequestRunsAndNothingIsRecorded(HttpBench bench) {
        long before = bench.records();

        bench.send(bench.unkeyed(Turn.paid())).isFirst(201);
        bench.send(bench.unkeyed(Turn.paid())).isFirst(201);

        bench.ran(2);
        bench.recordedNothingSince(before);
    }

    @Case(35)
    default void keysOfRequestsThatReadAreIgnored(HttpBench bench) {
        long before = bench.records();
        int runs = 0;

        for (String method : List.of("GET", "HEAD", "OPTIONS")) {
            WireRequest read = bench.unkeyed(Turn.paid()).by(method).saying("");
            for (WireRequest each : List.of(
                    read.key("a"),
                    read.key("a"),
                    read.key("\"malformed"),
                    read.key("a").key("b"))) {
                bench.send(each).isFirst(201);
                bench.ran(++runs);
            }
        }
        bench.recordedNothingSince(before);
    }

    @Case(value = 36, on = HttpSetting.DELETES)
    default void aRepeatedDeleteGetsTheFirstAnswer(HttpBench bench) {
        WireRequest delete = bench.pay(Turn.empty(204), Turn.answer(404))
                .by("DELETE")
                .at("/payments/1")
                .saying("");
        WireResponse first = bench.send(delete).isFirst(204);

        bench.send(delete).replays(first);
        bench.ran(1);
    }

    @Case(value = 37, on = HttpSetting.KEYS_IGNORED)
    default void whereKeysAreIgnoredEveryRequestRuns(HttpBench bench) {
        long before = bench.records();

        bench.send(bench.pay()).isFirst(201);
        bench.send(bench.pay()).isFirst(201);

        bench.ran(2);
        bench.recordedNothingSince(before);
    }

    @Case(value = 37, on = HttpSetting.KEYS_REJECTED)
    default void whereKeysAreRejectedNothingRuns(HttpBench bench) {
        bench.send(bench.pay()).refuses(501, "unsupported");
        bench.ran(0);
        bench.send(bench.unkeyed(Turn.paid())).isFirst(201);
    }

    @Case({38, 39})
    default void aRefusalOfTheHandlerIsReplayedAndACorrectedBodyNeedsANewKey(HttpBench bench) {
        for (int status : new int[] {400, 404, 409, 422}) {
            String key = "\"" + bench.key() + status + '"';
            WireRequest refused = bench.unkeyed(Turn.answer(status)).key(key);
            WireResponse first = bench.send(refused).isFirst(status);

            bench.send(refused).replays(first);
            bench.send(refused.saying("{}")).refuses(422, "key-reused");
            bench.send(refused.saying("{}").instead("Idempotency-Key", key.replace("\"", "") + "-2"))
                    .isFirst(status);
        }
        bench.ran(8);
    }

    @Case(60)
    default void aLateDuplicateMakesNothingAnew(HttpBench bench) {
        WireResponse first = bench.send(bench.pay()).isFirst(201);
        bench.send(bench.unkeyed(Turn.empty(204)).by("DELETE").at("/payments/1").saying(""));

        bench.send(bench.pay()).replays(first);
        bench.ran(2);
    }
}
