// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.semel.Operation;
import io.semel.jdbc.Schema;
import io.semel.jdbc.TransactingStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Measures the JDBC store on a real PostgreSQL with full durability, in ratios within one run.
 *
 * <p>Arguments: what to measure ({@code joined}, {@code leased}, {@code replay}, {@code size}, {@code purge}); all of it without any.
 */
public final class JdbcLoad {

    private static final int CONNECTIONS = 32;

    private final Rounds rounds =
            new Rounds(Integer.getInteger("rounds", 7), Duration.ofMillis(Integer.getInteger("millis", 1500)));
    private final DurablePostgres postgres;

    private JdbcLoad(DurablePostgres postgres) {
        this.postgres = postgres;
    }

    public static void main(String[] args) throws Exception {
        List<String> parts = args.length == 0
                ? List.of("joined", "joined-replay", "leased", "replay", "size", "purge")
                : Arrays.asList(args);
        try (DurablePostgres postgres = new DurablePostgres(CONNECTIONS)) {
            Schema.create(postgres.pool());
            JdbcLoad load = new JdbcLoad(postgres);
            for (String part : parts) {
                load.measure(part);
            }
        }
    }

    private void measure(String part) throws Exception {
        switch (part) {
            case "joined" -> joined();
            case "joined-replay" -> joinedReplays();
            case "leased" -> leased();
            case "purge" -> PurgeLoad.print(postgres);
            case "replay" -> replays();
            case "size" -> sizes();
            default -> throw new IllegalArgumentException("There is nothing called '" + part + "' to measure.");
        }
    }

    private void joined() throws Exception {
        JoinedLoad load = new JoinedLoad(postgres);
        for (int threads : new int[] {1, 16, 64}) {
            Table.print("Joined: first execution", threads, rounds.compare(threads, load.contenders()));
        }
    }

    private void joinedReplays() throws Exception {
        JoinedLoad load = new JoinedLoad(postgres);
        load.prepareReplays();
        postgres.execute("VACUUM ANALYZE semel_slot");
        for (int threads : new int[] {1, 16, 64}) {
            Table.print("Joined: replay", threads, rounds.compare(threads, load.replays()));
        }
    }

    private void leased() throws Exception {
        LeasedLoad load = new LeasedLoad(postgres);
        for (int threads : new int[] {1, 16, 64, 256}) {
            Table.print("Leased: claim and settle", threads, rounds.compare(threads, load.pairs()));
        }
    }

    private void replays() throws Exception {
        LeasedLoad load = new LeasedLoad(postgres);
        load.prepareReplays();
        postgres.execute("VACUUM ANALYZE semel_slot");
        for (int threads : new int[] {1, 16, 64}) {
            Table.print("Replay", threads, rounds.compare(threads, load.replays()));
        }
    }

    private void sizes() throws Exception {
        Operation plain = Operation.named("pay");
        Operation compressing = plain.compressAbove(64);
        TransactingStore store = TransactingStore.on(postgres.pool()).optimistic();
        JdbcSize.print(postgres, "An answer of 200 bytes as it is", store, plain);
        JdbcSize.print(postgres, "An answer of 200 bytes, compressed", store, compressing);
        JdbcSize.print(postgres, "The same, its key only as a hash", store.hidingKeys(), compressing);
    }
}
