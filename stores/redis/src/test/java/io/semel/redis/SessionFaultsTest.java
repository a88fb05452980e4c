// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lettuce.core.api.sync.RedisCommands;
import io.semel.Key;
import io.semel.Level;
import io.semel.MalformedKey;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.redis.internal.client.ScriptClient;
import io.semel.redis.internal.script.HashedNames;
import io.semel.redis.internal.script.Script;
import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.SessionRequests;
import io.semel.redis.internal.store.SessionRegistry;
import io.semel.session.Session;
import io.semel.session.SessionStore.Counts;
import io.semel.session.SessionStore.Registration;
import io.semel.session.SessionStore.State;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Sessions on a server that forgets scripts, is full, or has the data of others; and registrations that are cut in two. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionFaultsTest {

    private static final int THREADS = 4;
    private static final int EACH = 100;
    private static final int MOST = 5;
    private static final Settlement.Complete LONG =
            new Settlement.Complete("x".repeat(100_000).getBytes(StandardCharsets.US_ASCII), Retention.DEFAULT);

    private final Redis redis = Redis.with();
    private final RedisSessions sessions = RedisSessions.on(redis.client(), RedisOptions.DEFAULT, MOST);

    @AfterEach
    void clean() {
        redis.ask(RedisCommands::flushall);
    }

    @AfterAll
    void stop() {
        sessions.close();
        redis.close();
    }

    @Test
    void scriptsThatAreFlushedMeanwhileAreSentAgain() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<Session>> done = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            done.add(threads.submit(this::carryOut));
        }
        while (done.stream().anyMatch(each -> !each.isDone())) {
            redis.ask(RedisCommands::scriptFlush);
        }
        threads.shutdown();
        for (Future<Session> each : done) {
            assertThat(SessionTrial.answer(sessions, each.get(), EACH)).isEqualTo("done");
        }
        assertThat(sessions.countSessions()).isEqualTo(new Counts(THREADS, THREADS));
    }

    private Session carryOut() {
        Session session = SessionTrial.registered(sessions);
        for (int number = 1; number <= EACH; number++) {
            SessionTrial.done(sessions, session, number, number);
        }
        return session;
    }

    @Test
    void whereMemoryIsFullNothingBeginsAndEverythingMayEnd() {
        Session session = SessionTrial.registered(sessions);
        SessionTrial.done(sessions, session, 1, 1);
        long second = SessionTrial.granted(sessions, session, 2);
        long third = SessionTrial.granted(sessions, session, 3);
        redis.ask(commands -> commands.configSet("maxmemory", "1"));
        try {
            StoreException thrown =
                    catchThrowableOfType(StoreException.class, () -> SessionTrial.send(sessions, session, 4, 2));
            assertThat(thrown.changedNothing()).isTrue();
            assertThat(thrown).hasMessageContaining("maxmemory");
            assertThat(catchThrowableOfType(StoreException.class, () -> SessionTrial.registered(sessions))
                            .changedNothing())
                    .isTrue();

            assertThat(SessionTrial.answer(sessions, session, 1))
                    .as("the mark has not moved")
                    .isEqualTo("done");
            assertThat(SessionTrial.granted(sessions, session, 2))
                    .as("repeated")
                    .isEqualTo(second);
            assertThat(sessions.settle(session.key().request(3), "holder", third, new Settlement.Renew(Trial.LEASE)))
                    .isTrue();
            assertThat(sessions.settle(session.key().request(2), "holder", second, LONG))
                    .isTrue();
            assertThat(SessionTrial.answer(sessions, session, 2)).hasSize(LONG.result().length);
            assertThat(sessions.keepAlive(session.key(), 3)).isEqualTo(State.LIVE);
            assertThat(sessions.countSessions()).isEqualTo(new Counts(1, 1));
            assertThat(sessions.close(session.key())).isTrue();
        } finally {
            redis.ask(commands -> commands.configSet("maxmemory", "0"));
        }
    }

    @Test
    void aRegistrationThatWasCutInTwoGivesItsPlaceBack() {
        Session lost = Session.of("trial");
        SessionTrial.registered(sessions);
        SessionTrial.registered(sessions);
        SessionTrial.registered(sessions);
        SessionTrial.registered(sessions);
        assertThat(sessions.close(reserved(lost).key())).isFalse();
        assertThat(sessions.register(Session.of("trial"))).isFalse();

        redis.elapse(Duration.ofMinutes(2));

        SessionTrial.registered(sessions);
        assertThat(sessions.register(Session.of("trial"))).isFalse();
        assertThat(sessions.countSessions().sessions()).isEqualTo(MOST);
    }

    /** As if the process had died between the two trips. */
    private Session reserved(Session session) {
        try (ScriptClient client = ScriptClient.to(redis.client(), RedisOptions.DEFAULT.client(), Script.SESSIONS)) {
            SessionRegistry registry = new SessionRegistry(client, "semel:", new HashedNames("semel:session"));
            assertThat(registry.reserve(session.key(), MOST, MOST).registration())
                    .isEqualTo(Registration.LIVE);
        }
        return session;
    }

    @Test
    void aSessionThatComesTooLateIsNotMade() {
        Session late = Session.of("trial");
        byte[] id = Key.of("trial", late.key().id()).hash();
        try (ScriptClient client = ScriptClient.to(redis.client(), RedisOptions.DEFAULT.client(), Script.SESSIONS)) {
            ScriptReply reply = client.send(SessionRequests.register(new HashedNames("semel:session").of(id), late, 1));
            assertThat(reply.number("register")).isEqualTo(2);
        }
        assertThat(sessions.keepAlive(late.key(), 1)).isEqualTo(State.UNKNOWN);
    }

    @Test
    void dataOfSomebodyElseIsRefusedAndLeftAlone() {
        Session text = Session.of("trial");
        Session hash = Session.of("trial");
        redis.askInBytes(commands -> commands.set(name(text), Trial.bytes("theirs")));
        redis.askInBytes(commands -> commands.hset(name(hash), Trial.bytes("field"), Trial.bytes("theirs")));

        for (Session each : List.of(text, hash)) {
            refused(() -> sessions.register(each));
            refused(() -> SessionTrial.send(sessions, each, 1, 1));
            refused(() -> SessionTrial.complete(sessions, each, 1, 1));
            refused(() -> sessions.keepAlive(each.key(), 1));
            refused(() -> sessions.peek(each.key().request(1)));
            refused(() -> sessions.close(each.key()));
        }
        byte[] kept = redis.askInBytes(commands -> commands.get(name(text)));
        long fields = redis.askInBytes(commands -> commands.hlen(name(hash)));
        assertThat(kept).isEqualTo(Trial.bytes("theirs"));
        assertThat(fields).isEqualTo(1);
    }

    @Test
    void dataOfANewerFormatIsRefused() {
        Session session = SessionTrial.registered(sessions);
        byte[] row = redis.askInBytes(commands -> commands.hget(name(session), Trial.bytes("s")));
        row[2] = 2;
        redis.askInBytes(commands -> commands.hset(name(session), Trial.bytes("s"), row));

        refused(() -> SessionTrial.send(sessions, session, 1, 1));
        refused(() -> sessions.register(session));
    }

    @Test
    void anotherThingInThePlaceOfTheRollIsRefused() {
        redis.ask(commands -> commands.set("semel:{.sessions}roll", "theirs"));

        refused(() -> SessionTrial.registered(sessions));
        refused(() -> sessions.purge(1));
        refused(sessions::countSessions);
    }

    @Test
    void anotherThingInThePlaceOfTheScopesIsRefused() {
        redis.ask(commands -> commands.set("semel:{.sessions}scopes", "theirs"));

        refused(() -> SessionTrial.registered(sessions));
        refused(() -> sessions.list(SessionTrial.SCOPE, 1));
        assertThat(sessions.countSessions()).isEqualTo(new Counts(0, 0));
    }

    @Test
    void aSessionThatEndsIsStruckOffTheRollAndTheScopes() {
        Session closed = SessionTrial.registered(sessions);
        SessionTrial.registered(sessions);
        sessions.close(closed.key());
        redis.elapse(SessionTrial.LEASE.multipliedBy(2));
        assertThat(sessions.purge(10)).isEqualTo(1);

        for (String name : List.of("semel:{.sessions}roll", "semel:{.sessions}scopes")) {
            assertThat(redis.<Long>ask(commands -> commands.zcard(name))).isZero();
        }
    }

    @Test
    void numbersThatAScriptCannotCountAreRefused() {
        Session session = SessionTrial.registered(sessions);
        long most = (1L << 53) - 1;

        assertThatThrownBy(() -> SessionTrial.send(sessions, session, most + 1, 1))
                .isInstanceOf(MalformedKey.class)
                .hasMessageContaining("" + most);
        assertThatThrownBy(() -> sessions.keepAlive(session.key(), most + 1)).isInstanceOf(MalformedKey.class);
        SessionTrial.done(sessions, session, most - 1, most - 1);
        SessionTrial.done(sessions, session, most, most);
        assertThat(SessionTrial.send(sessions, session, most - 1, 1)).isInstanceOf(Claim.Refused.class);
        assertThat(SessionTrial.answer(sessions, session, most)).isEqualTo("done");
    }

    @Test
    void sessionsAreBestEffortAndSayWhy() {
        assertThat(sessions.level()).isEqualTo(Level.BEST_EFFORT);
        assertThat(sessions.caveats()).isNotEmpty();
    }

    @Test
    void sessionsAndKeysOfOnePrefixDoNotMeet() {
        try (RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT)) {
            Session session = SessionTrial.registered(sessions);
            SessionTrial.done(sessions, session, 1, 1);

            assertThat(store.peek(session.key().request(1))).isEmpty();
            assertThat(store.count().settled()).isZero();
            Trial.done(store);
            assertThat(sessions.countSessions()).isEqualTo(new Counts(1, 1));
        }
    }

    private static byte[] name(Session session) {
        return new HashedNames("semel:session")
                .of(Key.of(session.key().scope(), session.key().id()));
    }

    private static void refused(ThrowingCallable call) {
        StoreException thrown = catchThrowableOfType(StoreException.class, call);
        assertThat(thrown).isNotNull();
        assertThat(thrown.changedNothing()).isTrue();
        assertThat(thrown).hasMessageContaining("prefix");
    }
}
