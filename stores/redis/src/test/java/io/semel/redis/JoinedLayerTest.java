// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Outcome.Done;
import io.semel.jdbc.Dialect;
import io.semel.jdbc.JoinedStore;
import io.semel.jdbc.TransactingStore;
import io.semel.layered.Answers;
import io.semel.layered.CachedStore;
import io.semel.layered.NearAnswers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Answers in front of stores that commit the record with the effect: nothing is there before its commit. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JoinedLayerTest {

    private final HikariDataSource pool = Postgres.newDatabase(Postgres.pausable(), "joinedlayer");
    private Connection transaction;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private final JoinedStore joined = JoinedStore.on(() -> transaction, Dialect.POSTGRESQL);
    private final AtomicInteger effects = new AtomicInteger();

    private final Redis redis = Redis.with();
    private final RedisAnswers shared = RedisAnswers.on(redis.client(), RedisOptions.DEFAULT);

    @AfterAll
    void stop() {
        shared.close();
        redis.close();
        pool.close();
    }

    @Test
    void whatIsRolledBackIsNotAnswered() throws Exception {
        Engine engine = joined(CachedStore.over(joined, near()).filledAfterCommit(afterCommit::add));
        Call call = call();

        assertThat(secondRunAfterRollback(engine, call)).isEqualTo(new Done<>("effect 2", false));
    }

    @Test
    void withoutWordOfCommitsNothingIsFilled() throws Exception {
        Engine engine = joined(CachedStore.over(joined, near()));
        Call call = call();

        assertThat(secondRunAfterRollback(engine, call)).isEqualTo(new Done<>("effect 2", false));
    }

    /** That the tests above would notice: this is what filling before the commit does. */
    @Test
    void filledBeforeTheCommitItAnswersForWhatNeverHappened() throws Exception {
        Engine wrong = joined(CachedStore.over(joined, near()).filledAfterCommit(Runnable::run));
        Call call = call();

        assertThat(secondRunAfterRollback(wrong, call)).isEqualTo(new Done<>("effect 1", true));
    }

    /** In the first transaction the second run sees the record of the first, which is then undone with it. */
    private Done<String> secondRunAfterRollback(Engine engine, Call call) throws SQLException {
        effects.set(0);
        afterCommit.clear();
        try (Connection connection = begin()) {
            assertThat(run(engine, call)).isEqualTo(new Done<>("effect 1", false));
            assertThat(run(engine, call)).isEqualTo(new Done<>("effect 1", true));
            connection.rollback();
            afterCommit.clear();
        }
        return inTransaction(engine, call);
    }

    @Test
    void whatWasCommittedIsAnsweredInAllProcessesWithoutTheDatabase() throws Exception {
        Engine here =
                joined(CachedStore.over(CachedStore.over(joined, shared).filledAfterCommit(afterCommit::add), near())
                        .filledAfterCommit(afterCommit::add));
        Engine elsewhere = joined(CachedStore.over(joined, shared));
        Call call = call();
        effects.set(0);
        inTransaction(here, call);
        inTransaction(here, call);
        transaction = null;

        withPostgresStandingStill(() -> {
            assertThat(run(here, call)).isEqualTo(new Done<>("effect 1", true));
            assertThat(run(elsewhere, call)).isEqualTo(new Done<>("effect 1", true));
        });
    }

    @Test
    void aStoreThatCommitsByItselfFillsByItself() {
        TransactingStore store = TransactingStore.on(pool);
        Engine engine = joined(CachedStore.over(store, shared));
        Call call = call();
        effects.set(0);
        run(engine, call);
        run(engine, call);

        withPostgresStandingStill(() -> assertThat(run(engine, call)).isEqualTo(new Done<>("effect 1", true)));
    }

    private static void withPostgresStandingStill(ThrowableAssert.ThrowingCallable action) {
        Postgres.pausable().pause();
        try {
            assertThat(ThrowableAssert.catchThrowable(action)).isNull();
        } finally {
            Postgres.pausable().resume();
        }
    }

    private static Engine joined(CachedStore store) {
        return Engine.on(store).with(Operation.named("charge").demand(Level.JOINED));
    }

    private Done<String> inTransaction(Engine engine, Call call) throws SQLException {
        try (Connection connection = begin()) {
            Done<String> done = run(engine, call);
            connection.commit();
            afterCommit.forEach(Runnable::run);
            afterCommit.clear();
            return done;
        }
    }

    private Connection begin() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        transaction = connection;
        return connection;
    }

    private Done<String> run(Engine engine, Call call) {
        return (Done<String>) engine.run(call, Codec.utf8(), attempt -> "effect " + effects.incrementAndGet());
    }

    private static Answers near() {
        return NearAnswers.ofBytes(1 << 20);
    }

    private static Call call() {
        Key key = Trial.key();
        return Call.of(Key.of("joined-layer", key.id()), Trial.ASKED);
    }
}
