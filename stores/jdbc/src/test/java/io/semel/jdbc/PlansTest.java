// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Inspectable.Counts;
import io.semel.store.Inspectable.Page;
import io.semel.store.Inspectable.View;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing that a store says to a large table reads all of it, or sorts it. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PlansTest {

    private static final int LAPSED = 100;
    private static final int UNKNOWN = 50;
    private static final int OVER = 3_000;

    private static int rows(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? 1_000_000 : 60_000;
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void everythingIsFoundByAnIndex(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "plans")) {
            Schema.create(database);
            fill(database, dialect);
            Explained explained = new Explained(database, dialect);
            JdbcStore store = JdbcStore.on(explained.source());

            Counts counts = store.count();
            assertIndexed(dialect, explained);
            assertThat(counts.held()).isZero();
            assertThat(counts.lapsed()).isEqualTo(LAPSED);
            assertThat(counts.unknown()).isEqualTo(UNKNOWN);
            assertThat((double) counts.settled()).isCloseTo(rows(dialect) * 0.75, within(rows(dialect) * 0.04));
            assertThat((double) counts.gone()).isCloseTo(rows(dialect) * 0.25, within(rows(dialect) * 0.04));

            assertThat(pages(store, View.IN_FLIGHT, Integer.MAX_VALUE)).hasSize(LAPSED);
            assertThat(pages(store, View.UNKNOWN, Integer.MAX_VALUE)).hasSize(UNKNOWN);
            assertThat(pages(store, View.OLDEST, 3)).hasSize(120);
            assertIndexed(dialect, explained);

            claimAndSettle(store);
            joinAndSettle(explained, database);
            assertIndexed(dialect, explained);

            assertThat(store.purge(OVER * 2)).isEqualTo(OVER);
            assertIndexed(dialect, explained);
        }
    }

    /** Each slot of some pages, once. */
    private static Set<Key> pages(JdbcStore store, View view, int most) {
        List<Slot> slots = new ArrayList<>();
        Page page = store.page(view, null, 40);
        slots.addAll(page.slots());
        for (int i = 1; page.next() != null && i < most; i++) {
            page = store.page(view, page.next(), 40);
            slots.addAll(page.slots());
        }
        Set<Key> keys = new HashSet<>(slots.stream().map(Slot::key).toList());
        assertThat(keys).as("shown once").hasSameSizeAs(slots);
        return keys;
    }

    private static void claimAndSettle(JdbcStore store) {
        Settlement done = new Settlement.Complete(new byte[] {1, 0}, Retention.DEFAULT);
        Call call = Till.newCall();
        Claim.Granted granted = (Claim.Granted) store.claim(call, "one", Duration.ofMinutes(1));
        assertThat(store.settle(call.key(), "one", granted.fence(), new Settlement.Renew(Duration.ofMinutes(2))))
                .isTrue();
        assertThat(store.settle(call.key(), "one", granted.fence(), done)).isTrue();
        assertThat(store.claim(call, "two", Duration.ofMinutes(1))).isInstanceOf(Claim.Settled.class);
        assertThat(store.look(call.key())).isPresent();

        List<Store.Claiming> many = IntStream.range(0, 100)
                .mapToObj(i ->
                        new Store.Claiming(Till.newCall(), UUID.randomUUID().toString(), Duration.ofMinutes(1)))
                .toList();
        List<Claim> claims = store.claimAll(many);
        assertThat(store.settleAll(settlings(many, claims, new Settlement.Renew(Duration.ofMinutes(2)))))
                .doesNotContain(false);
        assertThat(store.settleAll(settlings(many, claims, done))).doesNotContain(false);
        // A slot that lapsed is taken over.
        Call lapsed = Till.newCall();
        store.claim(lapsed, "silent", Duration.ofNanos(1000));
        assertThat(store.claim(lapsed, "three", Duration.ofMinutes(1)))
                .isInstanceOfSatisfying(
                        Claim.Granted.class,
                        grant -> assertThat(grant.abandoned()).isTrue());
    }

    private static List<Store.Settling> settlings(List<Store.Claiming> many, List<Claim> claims, Settlement word) {
        return IntStream.range(0, many.size())
                .mapToObj(i -> new Store.Settling(
                        many.get(i).call().key(), many.get(i).holder(), ((Claim.Granted) claims.get(i)).fence(), word))
                .toList();
    }

    private static void joinAndSettle(Explained explained, HikariDataSource database) throws SQLException {
        try (var connection = explained.source().getConnection()) {
            connection.setAutoCommit(false);
            JoinedStore joined = JoinedStore.on(() -> connection, database);
            Call call = Till.newCall();
            Claim.Granted granted = (Claim.Granted) joined.claim(call, "joined", Duration.ofMinutes(1));
            assertThat(joined.settle(
                            call.key(),
                            "joined",
                            granted.fence(),
                            new Settlement.Complete(new byte[] {1, 0}, Retention.UNENDING)))
                    .isTrue();
            connection.commit();
        }
    }

    /** What the words are in which a database says that it reads all, or sorts. */
    private static void assertIndexed(Dialect dialect, Explained explained) {
        List<Explained.Plan> plans = explained.plans();
        assertThat(plans).isNotEmpty();
        for (Explained.Plan plan : plans) {
            assertThat(plan.text()).as(plan.sql()).satisfies(text -> {
                switch (dialect) {
                    // What was found by ids may be hashed or sorted in order to be joined.
                    case POSTGRESQL ->
                        assertThat(text)
                                .doesNotContain("Seq Scan on semel")
                                .doesNotContainPattern("Sort  \\(cost=\\S+ rows=\\d{4,}")
                                .matches(PlansTest::isBounded, "goes through an index only up to a limit");
                    case MARIADB ->
                        assertThat(text)
                                .doesNotContainPattern("(?<!INSERT) \\| semel_slot \\| ALL")
                                .doesNotContain("filesort");
                    case H2 -> assertThat(text).doesNotContain("tableScan");
                }
            });
            // Whatever claims and settles is in that index only for a moment, so that it is full of dead entries.
            if (dialect == Dialect.POSTGRESQL && plan.sql().contains("holder = ")) {
                assertThat(plan.text()).as(plan.sql()).doesNotContain("semel_slot_in_flight");
            }
        }
    }

    /** Whether every look into the large indexes is for some entries, or ends with a limit. */
    private static boolean isBounded(String plan) {
        return plan.contains("Limit ")
                || !Pattern.compile("Scan using semel_slot_(pkey|due) .*\\n(?!\\s+Index Cond)")
                        .matcher(plan)
                        .find();
    }

    /** Three quarters settled, the rest gone; some lapsed, unknown and over. */
    private static void fill(HikariDataSource database, Dialect dialect) throws SQLException {
        Admin admin = Admin.of(database);
        String rows = switch (dialect) {
            case POSTGRESQL -> "(SELECT n FROM generate_series(1, $n) n) g";
            case MARIADB -> "(SELECT seq AS n FROM seq_1_to_$n) g";
            case H2 -> "(SELECT x AS n FROM SYSTEM_RANGE(1, $n)) g";
        };
        String id = switch (dialect) {
            case POSTGRESQL -> "gen_random_uuid()";
            case MARIADB -> "RANDOM_BYTES(16)";
            case H2 -> "SECURE_RAND(16)";
        };
        String name = dialect == Dialect.POSTGRESQL
                ? "n::text::bytea"
                : dialect == Dialect.H2 ? "CAST(CAST(n AS VARCHAR) AS VARBINARY)" : "n";
        String scope = dialect == Dialect.H2 ? "CAST('$scope' AS VARBINARY)" : "'$scope'";
        String insert = """
                INSERT INTO semel_slot (id, print, fence, attempts, holder, since, until, forget, result, scope, name)
                SELECT $id, $id, n, 1, $holder, n, $until, $forget, $result, $scope, $name FROM $rows
                """.replace("$id", id).replace("$name", name).replace("$scope", scope);
        String bytes = dialect == Dialect.POSTGRESQL
                ? "decode(repeat('01', 100), 'hex')"
                : dialect == Dialect.MARIADB ? "REPEAT(X'01', 100)" : "X'0100'";
        String unknown = dialect == Dialect.POSTGRESQL ? "'\\x0103'::bytea" : "X'0103'";
        String holder = dialect == Dialect.H2 ? "X'61'" : "'a'";
        String later = "4000000000000000 + n";
        admin.execute(of(insert, rows, "settled", rows(dialect) / 4 * 3, "NULL", later, later, bytes));
        admin.execute(of(insert, rows, "gone", rows(dialect) / 4, "NULL", later, later, "NULL"));
        admin.execute(of(insert, rows, "lapsed", LAPSED, holder, "n", "9223372036854775807", "NULL"));
        admin.execute(of(insert, rows, "unknown", UNKNOWN, "NULL", later, later, unknown));
        admin.execute(of(insert, rows, "over", OVER, "NULL", "n", "n", bytes));
        switch (dialect) {
            case POSTGRESQL -> admin.execute("VACUUM ANALYZE semel_slot");
            case MARIADB -> admin.execute("ANALYZE TABLE semel_slot");
            case H2 -> admin.execute("ANALYZE");
        }
    }

    private static String of(
            String insert,
            String rows,
            String scope,
            int count,
            String holder,
            String until,
            String forget,
            String result) {
        return insert.replace("$rows", rows.replace("$n", String.valueOf(count)))
                .replace("$scope", scope)
                .replace("$holder", holder)
                .replace("$until", until)
                .replace("$forget", forget)
                .replace("$result", result);
    }
}
