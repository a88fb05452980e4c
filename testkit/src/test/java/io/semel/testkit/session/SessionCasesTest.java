// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Reason;
import io.semel.Rejection;
import io.semel.session.MemorySessions;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The cases of the profile about sessions, by number, through an engine as a server would have it. */
class SessionCasesTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final SessionStore store = new MemorySessions(100, time);
    private final Engine engine = Engine.on(store, time).with(Operation.named("order"));
    private final List<Long> effects = Collections.synchronizedList(new ArrayList<>());

    @Test
    void case67AnInventedSessionIsUnknownAndNothingRuns() {
        SessionKey invented = SessionKey.random("somebody");

        assertThat(send(invented, 1, 1)).isEqualTo(new Outcome.Refused<>(Reason.SESSION_UNKNOWN));
        assertThat(send(invented, 2, 1)).isEqualTo(new Outcome.Refused<>(Reason.SESSION_UNKNOWN));
        assertThat(effects).isEmpty();
        assertThat(store.countSessions().sessions()).isZero();
    }

    @Test
    void case68ARequestThatIsSentTwiceRunsOnce() {
        SessionKey session = register(terms());

        assertThat(send(session, 1, 1)).isEqualTo(new Outcome.Done<>("done 1", false));
        assertThat(send(session, 1, 1)).isEqualTo(new Outcome.Done<>("done 1", true));
        assertThat(effects).containsExactly(1L);
    }

    @Test
    void case69And70NumbersMayOvertakeEachOther() {
        SessionKey session = register(terms());

        send(session, 3, 1);
        send(session, 2, 1);

        assertThat(send(session, 3, 1)).isEqualTo(new Outcome.Done<>("done 3", true));
        assertThat(send(session, 2, 1)).isEqualTo(new Outcome.Done<>("done 2", true));
        assertThat(effects).containsExactly(3L, 2L);
    }

    @Test
    void case71InOrderWhereOrderIsDemanded() {
        SessionKey session = register(terms().mode(Session.Mode.STRICT));
        for (int i = 1; i <= 4; i++) {
            send(session, i, i);
        }
        assertThat(send(session, 6, 5)).isEqualTo(new Outcome.Refused<>(Reason.OUT_OF_ORDER));
        send(session, 5, 5);
        send(session, 6, 5);
        assertThat(effects).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void case72And73WhatWasReceivedIsStaleAndStaysSo() {
        SessionKey session = register(terms());
        for (int i = 1; i <= 5; i++) {
            send(session, i, 1);
        }
        send(session, 6, 5);

        assertThat(send(session, 3, 3)).isEqualTo(new Outcome.Refused<>(Reason.STALE));
        send(session, 7, 2);
        assertThat(send(session, 3, 2)).isEqualTo(new Outcome.Refused<>(Reason.STALE));
        assertThat(effects).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void case74And75TheSurplusIsRefusedAndNoAnswerIsGivenUp() {
        SessionKey session = register(terms().window(3));
        for (int i = 1; i <= 3; i++) {
            send(session, i, 1);
        }
        assertThat(send(session, 4, 1)).isEqualTo(new Outcome.Refused<>(Reason.WINDOW_FULL));
        assertThat(send(session, 1, 1)).isEqualTo(new Outcome.Done<>("done 1", true));
        assertThat(effects).containsExactly(1L, 2L, 3L);
    }

    @Test
    void case76ARejectionIsAnAnswer() {
        SessionKey session = register(terms());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> engine.run(session.call(1, 1, Fingerprint.none()), Codec.utf8(), attempt -> {
                        effects.add(1L);
                        throw new Rejection("too-little", "There is not enough on the account.");
                    }))
                    .isInstanceOf(Rejection.class)
                    .hasMessageContaining("not enough");
        }
        assertThat(effects).containsExactly(1L);
    }

    @Test
    void case77WhatWasThrownIsForgottenAndRunsAgain() {
        SessionKey session = register(terms());
        assertThatThrownBy(() -> engine.run(session.call(1, 1, Fingerprint.none()), Codec.utf8(), attempt -> {
                    throw new IllegalStateException("overloaded");
                }))
                .hasMessage("overloaded");

        assertThat(send(session, 1, 1)).isEqualTo(new Outcome.Done<>("done 1", false));
    }

    @Test
    void case78AConcurrentDuplicateIsToldThatItIsBusy() throws Exception {
        SessionKey session = register(terms());
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Outcome<String>> first = CompletableFuture.supplyAsync(
                () -> engine.run(session.call(1, 1, Fingerprint.none()), Codec.utf8(), attempt -> {
                    started.countDown();
                    await(end);
                    effects.add(1L);
                    return "done 1";
                }));
        started.await();

        assertThat(send(session, 1, 1)).isInstanceOf(Outcome.Busy.class);
        end.countDown();
        assertThat(first.get()).isEqualTo(new Outcome.Done<>("done 1", false));
        assertThat(send(session, 1, 1)).isEqualTo(new Outcome.Done<>("done 1", true));
        assertThat(effects).containsExactly(1L);
    }

    @Test
    void case79And80ASilentClientMustRegisterAgain() {
        SessionKey session = register(terms());
        send(session, 1, 1);
        for (int i = 0; i < 3; i++) {
            time.pause(Duration.ofSeconds(50));
            assertThat(store.keepAlive(session, 1)).isEqualTo(SessionStore.State.LIVE);
        }
        time.pause(Duration.ofSeconds(70));

        assertThat(send(session, 2, 2)).isEqualTo(new Outcome.Refused<>(Reason.SESSION_EXPIRED));
        SessionKey next = register(terms());
        assertThat(next).isNotEqualTo(session);
        assertThat(send(next, 1, 1)).isEqualTo(new Outcome.Done<>("done 1", false));
        assertThat(effects).containsExactly(1L, 1L);
    }

    @Test
    void case84AClosedSessionIsUnknown() {
        SessionKey session = register(terms());
        send(session, 1, 1);
        assertThat(store.close(session)).isTrue();

        assertThat(send(session, 1, 1)).isEqualTo(new Outcome.Refused<>(Reason.SESSION_UNKNOWN));
        assertThat(store.close(session)).isFalse();
        assertThat(store.countSessions().sessions()).isZero();
        assertThat(effects).containsExactly(1L);
    }

    @Test
    void anotherRequestUnderTheSameNumberIsAMismatch() {
        SessionKey session = register(terms());
        send(session, 1, 1);

        assertThat(engine.run(session.call(1, 1, Fingerprint.of("other")), Codec.utf8(), attempt -> "other"))
                .isEqualTo(new Outcome.Refused<>(Reason.MISMATCH));
    }

    /** Ten thousand requests of one client, which says what it has received: a window of answers is all that is kept. */
    @Test
    void answersAreKeptWhileTheyAreOutstandingAndNoLonger() {
        SessionKey session = register(terms().window(16));
        for (int i = 1; i <= 10_000; i++) {
            send(session, i, Math.max(1, i - 15));
        }

        assertThat(effects).hasSize(10_000);
        assertThat(store.countSessions()).isEqualTo(new SessionStore.Counts(1, 16));
    }

    private Outcome<String> send(SessionKey session, long number, long firstOutstanding) {
        return engine.run(session.call(number, firstOutstanding, Fingerprint.none()), Codec.utf8(), attempt -> {
            effects.add(number);
            return "done " + number;
        });
    }

    private SessionKey register(Session session) {
        assertThat(store.register(session)).isTrue();
        return session.key();
    }

    private static Session terms() {
        return Session.of("somebody").lease(LEASE);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
