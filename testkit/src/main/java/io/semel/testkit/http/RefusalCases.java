// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cases 40 to 44: who is turned away, and what a refusal says. */
interface RefusalCases {

    @Case(40)
    default void aRefusalInFrontOfTheDoorLeavesNoRecord(HttpBench bench) {
        long before = bench.records();
        for (int status : new int[] {401, 403, 429}) {
            assertEquals(status, bench.send(front(bench.pay(), status)).status());
        }
        bench.ran(0);
        bench.recordedNothingSince(before);

        bench.send(bench.pay().saying("{}")).isFirst(201);
    }

    @Case(40)
    default void aRefusalThatTimeCanMendIsNotRecorded(HttpBench bench) {
        int runs = 0;
        for (int status : new int[] {401, 403, 429, 503}) {
            WireRequest refused = bench.unkeyed(Turn.answer(status)).key("\"" + bench.key() + status + '"');
            bench.send(refused).isFirst(status);
            bench.send(refused).isFirst(status);
            runs += 2;
            bench.ran(runs);
        }
    }

    @Case(40)
    default void aConflictThatAsksForARetryIsNotRecorded(HttpBench bench) {
        WireRequest refused = bench.pay(Turn.answer(409).with("Retry-After: 1"), Turn.paid());

        bench.send(refused).isFirst(409);
        bench.send(refused).isFirst(201);
    }

    @Case(41)
    default void aRequestThatFailedItsValidationMayComeCorrected(HttpBench bench) {
        assertEquals(400, bench.send(front(bench.pay(), 400)).status());

        WireResponse first = bench.send(bench.pay().saying("{}")).isFirst(201);
        bench.send(bench.pay().saying("{}")).replays(first);
        bench.ran(1);
    }

    @Case({24, 29, 42})
    default void problemsDifferAndCanBeRead(HttpBench bench) {
        CompletableFuture<WireResponse> first =
                bench.blocking(bench.pay(Turn.paid().blocked(), Turn.paid()));
        WireResponse busy = bench.send(bench.pay(Turn.paid().blocked(), Turn.paid()));
        bench.release();
        first.join().isFirst(201);
        WireResponse reused =
                bench.send(bench.pay(Turn.paid().blocked(), Turn.paid()).saying("{}"));
        WireResponse malformed = bench.send(bench.payAs("\"\""));

        assertEquals(3, Set.of(type(busy), type(reused), type(malformed)).size());
    }

    @Case(
            value = {20, 42},
            on = HttpSetting.KEYS_REQUIRED)
    default void theProblemOfAMissingKeyCanBeRead(HttpBench bench) {
        assertTrue(type(bench.send(bench.unkeyed(Turn.paid()))).endsWith("missing-key"));
    }

    @Case(43)
    default void anotherPrincipalsRequestRunsByItself(HttpBench bench) {
        WireResponse alice = bench.send(bench.pay()).isFirst(201);
        WireRequest bobs = bench.pay().instead("X-User", "bob");

        WireResponse bob = bench.send(bobs).isFirst(201);

        assertEquals("payment 1", alice.text());
        assertEquals("payment 2", bob.text());
        bench.send(bobs).replays(bob);
        bench.send(bench.pay()).replays(alice);
        bench.ran(2);
    }

    @Case(44)
    default void aCallerThatLostTheRightGetsNoStoredAnswer(HttpBench bench) {
        bench.send(bench.pay()).isFirst(201);

        WireResponse refused = bench.send(front(bench.pay(), 403));

        assertEquals(403, refused.status());
        assertFalse(refused.text().contains("payment 1"), refused::toString);
        bench.ran(1);
    }

    private static WireRequest front(WireRequest request, int status) {
        return request.header(ScriptedService.FRONT, Integer.toString(status));
    }

    /** The type of a problem whose body is an object of JSON with the members that it has to have. */
    private static String type(WireResponse got) {
        assertEquals(
                "application/problem+json", got.headers("Content-Type").get(0).split(";", 2)[0]);
        assertTrue(JsonObject.isOne(got.text()), got::toString);
        Matcher status = Pattern.compile("\"status\"\\s*:\\s*(\\d+)").matcher(got.text());
        assertTrue(status.find(), got::toString);
        assertEquals(got.status(), Integer.parseInt(status.group(1)));
        return got.problem();
    }
}
