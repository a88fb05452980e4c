// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.StoreException;
import io.semel.store.Inspectable.View;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys and answers that are as bad as they may be. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class BadInputTest {

    private static final int TEN_MEGABYTES = 10_000_000;
    private static final Codec<byte[]> BYTES = Codec.bytes();

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anAnswerOfTenMegabytesReachesItsCallerAndIsKeptOnlyIfThatWasAskedFor(Dialect dialect) {
        byte[] answer = new byte[TEN_MEGABYTES];
        new Random(1).nextBytes(answer);
        try (HikariDataSource database = Pools.fresh(dialect, "large")) {
            Schema.create(database);
            for (Store store : List.of(JdbcStore.on(database), TransactingStore.on(database))) {
                Engine modest = Engine.on(store);
                Engine greedy = modest.with(Operation.named("export").keepAnswersUpTo(2 * TEN_MEGABYTES));
                Call dropped = Till.newCall();
                Call kept = Till.newCall();

                assertThat(modest.run(dropped, BYTES, attempt -> answer).orThrow())
                        .isSameAs(answer);
                assertThat(modest.run(dropped, BYTES, attempt -> answer)).isEqualTo(new Refused<>(Reason.NOT_RETAINED));
                greedy.run(kept, BYTES, attempt -> answer);
                assertThat(greedy.run(kept, BYTES, attempt -> new byte[0]).orThrow())
                        .isEqualTo(answer);
            }
        }
    }

    @Test
    void anAnswerThatIsTooLargeForTheServerIsUndoneWithItsEffect() throws SQLException {
        byte[] answer = new byte[TEN_MEGABYTES];
        new Random(1).nextBytes(answer);
        try (HikariDataSource database = Pools.fresh(Dialect.MARIADB, "too_large")) {
            Schema.create(database);
            Till till = new Till(database);
            Admin admin = Admin.of(database);
            long allowed = admin.number("SELECT @@max_allowed_packet");
            admin.execute("SET GLOBAL max_allowed_packet = 1048576");
            database.getHikariPoolMXBean().softEvictConnections();
            TransactingStore store = TransactingStore.on(database);
            Engine engine = Engine.on(store).with(Operation.named("export").keepAnswersUpTo(answer.length));
            Call call = Till.newCall();
            try {
                assertThatThrownBy(() -> engine.run(call, BYTES, attempt -> {
                            Till.insert(store.connection(attempt), call);
                            return answer;
                        }))
                        .isInstanceOf(StoreException.class);
            } finally {
                admin.execute("SET GLOBAL max_allowed_packet = " + allowed);
            }
            assertThat(till.charges(call)).isZero();
            assertThat(engine.run(call, BYTES, attempt -> new byte[0]).orThrow())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aKeyOfNothingButNulsIsAKey(Dialect dialect) {
        String longest = "\0".repeat(Key.MAX_BYTES);
        Key key = Key.of(longest, longest);
        Key shorter = Key.of(longest, longest.substring(1));
        try (HikariDataSource database = Pools.fresh(dialect, "nuls")) {
            Schema.create(database);
            JdbcStore leased = JdbcStore.on(database);
            for (Store store : List.of(leased, TransactingStore.on(database))) {
                Engine engine = Engine.on(store);
                assertThat(engine.run(Call.of(key, Fingerprint.none()), Till.UTF8, attempt -> "first")
                                .orThrow())
                        .isEqualTo("first");
                assertThat(engine.run(Call.of(shorter, Fingerprint.none()), Till.UTF8, attempt -> "second")
                                .orThrow())
                        .isEqualTo("second");
            }
            assertThat(leased.page(View.OLDEST, null, 10).slots())
                    .extracting(Slot::key)
                    .containsExactly(key, shorter);
        }
    }
}
