// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import io.semel.store.Purgeable;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Cases 55 to 59: retention, remembrance, and keys that carry their time. */
interface TimeCases {

    Duration DAY = Duration.ofHours(24);
    Duration OVER_A_DAY = Duration.ofHours(25);
    Duration ALMOST_A_DAY = Duration.ofHours(23);
    Duration LONG_RUN = Duration.ofHours(2);
    String FIRST_SENT = "Repeatability-First-Sent";

    @Case(value = 55, where = Case.Where.LEASED)
    default void retentionCountsFromCompletion(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.paid().blocked(), Turn.paid());
        CompletableFuture<WireResponse> sent = bench.blocking(pay);
        bench.servers().elapse(LONG_RUN);
        bench.send(pay).refuses(409, "in-progress");

        bench.release();
        WireResponse first = sent.join().isFirst(201);

        bench.servers().elapse(ALMOST_A_DAY);
        bench.send(pay).replays(first);
        bench.ran(1);
    }

    @Case(56)
    default void noPurgeRemovesAnAnswerWithinItsRetention(HttpBench bench) {
        WireResponse first = bench.send(bench.pay()).isFirst(201);
        bench.servers().elapse(ALMOST_A_DAY);
        purge(bench);

        bench.send(bench.pay()).replays(first);
        bench.ran(1);
    }

    @Case(57)
    default void betweenRetentionAndRemembranceAKeyIsGoneAndFreeAfterwards(HttpBench bench) {
        bench.send(bench.pay()).isFirst(201);
        bench.servers().elapse(OVER_A_DAY);

        bench.send(bench.pay()).refuses(410, "gone");
        purge(bench);
        bench.send(bench.pay()).refuses(410, "gone");
        bench.ran(1);

        bench.servers().elapse(DAY);
        bench.send(bench.pay()).isFirst(201);
        bench.ran(2);
    }

    private static void purge(HttpBench bench) {
        if (bench.store() instanceof Purgeable purgeable) {
            purgeable.purge(1_000);
        }
    }

    @Case(58)
    default void aDatedKeyFromBeforeTheWindowIsGone(HttpBench bench) {
        WireRequest old = bench.payAs(dated(bench.store().now().minus(OVER_A_DAY)));

        bench.send(old).refuses(410, "gone");
        bench.ran(0);
        bench.send(bench.payAs(dated(bench.store().now().minus(ALMOST_A_DAY)))).isFirst(201);
    }

    @Case(value = 58, on = HttpSetting.FIRST_SENT)
    default void aRequestFirstSentBeforeTheWindowIsGone(HttpBench bench) {
        bench.send(sentAt(bench, Duration.ofHours(-25))).refuses(410, "gone");
        bench.ran(0);
        bench.send(sentAt(bench, Duration.ofHours(-23))).isFirst(201);
    }

    @Case(59)
    default void aDatedKeyFromTheFutureIsRefused(HttpBench bench) {
        bench.send(bench.payAs(dated(bench.store().now().plus(Duration.ofHours(1)))))
                .refuses(400, "future-dated");
        bench.ran(0);
    }

    @Case(value = 59, on = HttpSetting.FIRST_SENT)
    default void aRequestFirstSentInTheFutureIsRefused(HttpBench bench) {
        bench.send(sentAt(bench, Duration.ofHours(1))).refuses(400, "future-dated");
        bench.ran(0);
    }

    @Case(value = 59, on = HttpSetting.FIRST_SENT)
    default void anotherFirstSendingIsAnotherRequest(HttpBench bench) {
        WireRequest first = sentAt(bench, Duration.ofMinutes(-1));
        WireResponse paid = bench.send(first).isFirst(201);

        bench.send(sentAt(bench, Duration.ofMinutes(-10))).refuses(422, "key-reused");
        bench.send(bench.pay()).refuses(422, "key-reused");
        bench.send(first).replays(paid);
        bench.ran(1);
    }

    private static WireRequest sentAt(HttpBench bench, Duration fromNow) {
        Instant sent = bench.store().now().plus(fromNow);
        return bench.pay().header(FIRST_SENT, "@" + sent.getEpochSecond());
    }

    /** A UUID of version 7. */
    private static String dated(Instant time) {
        UUID random = UUID.randomUUID();
        long version = 0x7000L | (random.getMostSignificantBits() & 0xfff);
        return new UUID(time.toEpochMilli() << 16 | version, random.getLeastSignificantBits()).toString();
    }
}
