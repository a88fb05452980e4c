// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Inspectable.Counts;
import io.semel.store.Inspectable.View;
import io.semel.store.Settlement;
import io.semel.store.Store.Claiming;
import io.semel.store.Store.Settling;
import io.semel.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/** What operators look at costs as much as what they look for, however many keys there are; counted by RocksDB. */
class ManyKeysTest {

    private static final int SETTLED = 20_000;
    private static final int HELD = 20;
    private static final Retention KEPT = Retention.of(Duration.ofHours(1), Duration.ofDays(1));

    static {
        RocksDB.loadLibrary();
    }

    private final ManualTime time = new ManualTime();
    private final Path directory = Directories.fresh();
    private final Statistics statistics = new Statistics();
    private final RocksStore store =
            new RocksStore(directory, RocksOptions.DEFAULT.async().countedBy(statistics), time, InstantSource.system());

    @AfterEach
    void clean() {
        store.close();
        statistics.close();
        Directories.delete(directory);
    }

    @Test
    void countsAndPagesReadWhatTheyShow() {
        fill();
        long before = read();
        Counts counts = store.count();
        assertThat(counts.settled()).isEqualTo(SETTLED);
        assertThat(counts.held()).isEqualTo(HELD);
        assertThat(store.page(View.IN_FLIGHT, null, 50).slots()).hasSize(HELD);
        assertThat(store.page(View.UNKNOWN, null, 50).slots()).isEmpty();
        assertThat(store.page(View.OLDEST, null, 50).slots()).hasSize(50);

        assertThat(read() - before).isLessThan(1_000);
    }

    @Test
    void whatIsOverAndNotPurgedYetIsReadUpToABound() {
        fill();
        time.pause(Duration.ofHours(2));
        long before = read();
        Counts counts = store.count();

        assertThat(read() - before).isLessThan(12_000);
        assertThat(counts.settled() + counts.gone()).isEqualTo(SETTLED);
        assertThat(counts.lapsed()).isEqualTo(HELD);
    }

    private void fill() {
        for (int from = 0; from < SETTLED; from += 1_000) {
            assertThat(store.settleAll(claim("settled-" + from, 1_000))).doesNotContain(false);
        }
        claim("held", HELD);
    }

    private List<Settling> claim(String name, int many) {
        List<Claiming> claimings = IntStream.range(0, many)
                .mapToObj(i -> new Claiming(Victim.call(Victim.key(name + "-" + i)), "holder", Victim.LEASE))
                .toList();
        List<Claim> claims = store.claimAll(claimings);
        return IntStream.range(0, many)
                .mapToObj(i -> new Settling(
                        claimings.get(i).call().key(),
                        "holder",
                        ((Claim.Granted) claims.get(i)).fence(),
                        new Settlement.Complete(new byte[] {1, 0, 'x'}, KEPT)))
                .toList();
    }

    private long read() {
        return statistics.getTickerCount(TickerType.NUMBER_KEYS_READ)
                + statistics.getTickerCount(TickerType.NUMBER_DB_NEXT)
                + statistics.getTickerCount(TickerType.NUMBER_DB_SEEK);
    }
}
