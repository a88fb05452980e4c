// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Engine;
import io.semel.session.MemorySessions;
import io.semel.session.Session.Mode;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases 67 to 84 as far as a door has a part in them. */
class SessionCasesTest extends PaymentService {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Message REGISTER = Message.post("/.semel/sessions");
    private static final Message CHARGE = Message.post("/payments").json("{\"amountCents\":500}");

    private final MemorySessions sessions = new MemorySessions(2, time);

    SessionCasesTest() {
        offer(HttpRules.standard(), Mode.SET);
    }

    @Test
    void aSessionIsRegisteredOnTheDoorsTerms() {
        Answer registered = send(REGISTER);
        String id = id(registered);

        assertThat(registered.status()).isEqualTo(201);
        assertThat(text(registered))
                .isEqualTo("{\"id\":\"" + id + "\",\"leaseMillis\":60000,\"window\":4,\"mode\":\"set\"}");
        assertThat(registered.header("Location")).hasValue("/.semel/sessions/" + id);
        assertThat(registered.header("Cache-Control")).hasValue("no-store");
        assertThat(id(send(REGISTER))).isNotEqualTo(id).hasSizeGreaterThanOrEqualTo(22);
    }

    @Test
    void case67_anInventedSessionIsUnknownAndNeverMade() {
        assertThat(problem(send(in("invented", 1, 1)))).isEqualTo("session-unknown");
        assertThat(problem(send(keepAlive("invented")))).isEqualTo("session-unknown");
        assertThat(problem(send(close("invented")))).isEqualTo("session-unknown");
        assertThat(effects).hasValue(0);
        assertThat(sessions.countSessions().sessions()).isZero();
    }

    @Test
    void case68_aNumberThatIsSentTwiceRunsOnceAndItsAnswerIsMarked() {
        String id = register();
        Answer first = send(in(id, 1, 1));
        Answer retry = send(in(id, 1, 1));

        assertThat(replayed(first)).isFalse();
        assertThat(replayed(retry)).isTrue();
        assertThat(retry.status()).isEqualTo(201);
        assertThat(retry.header("Location")).isEqualTo(first.header("Location"));
        assertThat(retry.body()).isEqualTo(first.body());
        assertThat(effects).hasValue(1);
    }

    @Test
    void cases69and70_numbersMayOvertakeEachOther() {
        String id = register();
        Answer third = send(in(id, 3, 1));
        Answer second = send(in(id, 2, 1));

        assertThat(effects).hasValue(2);
        assertThat(send(in(id, 3, 1)).body()).isEqualTo(third.body());
        assertThat(send(in(id, 2, 1)).body()).isEqualTo(second.body());
    }

    @Test
    void case71_whereOrderIsDemandedAGapIsRefused() {
        offer(HttpRules.standard(), Mode.STRICT);
        String id = register();
        send(in(id, 1, 1));

        assertThat(problem(send(in(id, 3, 1)))).isEqualTo("session-out-of-order");
        assertThat(send(in(id, 2, 1)).status()).isEqualTo(201);
        assertThat(send(in(id, 3, 1)).status()).isEqualTo(201);
        assertThat(effects).hasValue(3);
    }

    @Test
    void cases72and73_whatWasReceivedIsStaleAndStaysSo() {
        String id = register();
        send(in(id, 1, 1));
        send(in(id, 5, 5));

        Answer stale = send(in(id, 3, 1));
        assertThat(stale.status()).isEqualTo(410);
        assertThat(problem(stale)).isEqualTo("session-stale");
        assertThat(problem(send(in(id, 1, 1)))).isEqualTo("session-stale");
        assertThat(effects).hasValue(2);
    }

    @Test
    void cases74and75_theSurplusIsRefusedAndNoAnswerIsGivenUp() {
        String id = register();
        send(in(id, 1, 1));

        assertThat(problem(send(in(id, 5, 1)))).isEqualTo("session-window-full");
        assertThat(replayed(send(in(id, 1, 1)))).isTrue();
        assertThat(send(in(id, 5, 2)).status()).isEqualTo(201);
    }

    @Test
    void case76_aRefusalOfTheHandlerIsReplayed() {
        handler = answering(422);
        String id = register();
        send(in(id, 1, 1));

        assertThat(replayed(send(in(id, 1, 1)))).isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void case77_anAnswerAboutTheMomentIsForgottenAndTheNumberRunsAgain() {
        handler = answering(503);
        String id = register();
        send(in(id, 1, 1));
        handler = this::charge;

        assertThat(send(in(id, 1, 1)).status()).isEqualTo(201);
        assertThat(effects).hasValue(2);
    }

    @Test
    void case78_aDuplicateOfARunningRequestIsToldToWait() {
        String id = register();
        Message request = in(id, 1, 1);
        RequestDecision.Run run = (RequestDecision.Run) door.enter(request, request.body());

        Answer busy = send(request);
        assertThat(problem(busy)).isEqualTo("in-progress");
        assertThat(busy.header("Retry-After")).isPresent();
        assertThat(problem(send(request.body("{}")))).isEqualTo("key-reused");
        run.complete(charge(request));
        assertThat(replayed(send(request))).isTrue();
    }

    @Test
    void case79_aSilentClientMustRegisterAgain() {
        String id = register();
        send(in(id, 1, 1));
        time.advance(LEASE);

        assertThat(problem(send(in(id, 1, 1)))).isEqualTo("session-expired");
        assertThat(problem(send(in(id, 2, 1)))).isEqualTo("session-expired");
        assertThat(problem(send(keepAlive(id)))).isEqualTo("session-expired");
        String again = register();
        assertThat(again).isNotEqualTo(id);
        assertThat(send(in(again, 1, 1)).status()).isEqualTo(201);
    }

    @Test
    void case80_keepAlivesAloneLetASessionLive() {
        String id = register();
        for (int i = 0; i < 6; i++) {
            time.advance(LEASE.dividedBy(2));
            Answer alive = send(keepAlive(id));
            assertThat(alive.status()).isEqualTo(200);
            assertThat(text(alive)).isEqualTo("{\"id\":\"" + id + "\",\"leaseMillis\":60000}");
        }
        assertThat(send(in(id, 1, 1)).status()).isEqualTo(201);
    }

    @Test
    void case81_nodesWhoseClocksDifferByHoursDecideAlike() {
        String id = register();
        ManualTime ahead = new ManualTime();
        HttpIdempotency elsewhere =
                door(HttpRules.standard()).sessions(HttpSessions.on(sessions, Engine.on(sessions, ahead)));
        ahead.advance(Duration.ofHours(5));

        assertThat(send(elsewhere, in(id, 1, 1)).status()).isEqualTo(201);
        assertThat(replayed(send(in(id, 1, 1)))).isTrue();
        time.advance(LEASE);
        assertThat(problem(send(elsewhere, in(id, 1, 1)))).isEqualTo("session-expired");
        assertThat(problem(send(in(id, 1, 1)))).isEqualTo("session-expired");
    }

    @Test
    void aKeepAliveMovesTheMarkAndSaysTheLeaseOfRegistration() {
        String id = register();
        send(in(id, 1, 1));
        door = door(HttpRules.standard()).sessions(HttpSessions.on(sessions).lease(Duration.ofHours(1)));

        assertThat(text(send(keepAlive(id).header("Semel-First-Outstanding", "2"))))
                .contains("60000");
        assertThat(problem(send(in(id, 1, 1)))).isEqualTo("session-stale");
        assertThat(problem(send(keepAlive(id).header("Semel-First-Outstanding", "0"))))
                .isEqualTo("malformed-session");
    }

    @Test
    void case84_aClosedSessionIsUnknown() {
        String id = register();
        send(in(id, 1, 1));

        assertThat(send(close(id)).status()).isEqualTo(204);
        assertThat(problem(send(in(id, 1, 1)))).isEqualTo("session-unknown");
        assertThat(problem(send(close(id)))).isEqualTo("session-unknown");
        assertThat(effects).hasValue(1);
        assertThat(sessions.countSessions().sessions()).isZero();
    }

    @Test
    void anotherPrincipalIsToldExactlyWhatAStrangerToTheSessionIsTold() {
        String id = register();
        send(in(id, 1, 1));
        Caller mallory = Caller.of("mallory");

        assertThat(send(in(id, 1, 1).from(mallory))).isEqualTo(send(in("invented", 1, 1)));
        assertThat(send(keepAlive(id).from(mallory))).isEqualTo(send(keepAlive("invented")));
        assertThat(send(close(id).from(mallory))).isEqualTo(send(close("invented")));
        assertThat(replayed(send(in(id, 1, 1)))).isTrue();
    }

    @Test
    void aFullStoreRefusesAndGivesUpNoLiveSession() {
        String id = register();
        register();

        Answer full = send(REGISTER);
        assertThat(full.status()).isEqualTo(503);
        assertThat(problem(full)).isEqualTo("sessions-full");
        assertThat(full.header("Retry-After")).isPresent();
        assertThat(send(in(id, 1, 1)).status()).isEqualTo(201);
    }

    @Test
    void aCallerThatHasAsManySessionsAsItMayIsRefusedAndNobodyElse() {
        door = door(HttpRules.standard()).sessions(HttpSessions.on(sessions).mostOfCaller(1));
        String id = register();

        Answer refused = send(REGISTER);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(problem(refused)).isEqualTo("too-many-sessions");
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(send(REGISTER.from(Caller.of("bob"))).status()).isEqualTo(201);
        assertThat(send(close(id)).status()).isEqualTo(204);
        assertThat(send(REGISTER).status()).isEqualTo(201);
        assertThatThrownBy(() -> HttpSessions.on(sessions).mostOfCaller(0))
                .hasMessageContaining("at least one session");
    }

    @Test
    void anotherRequestUnderTheSameNumberIsRefused() {
        String id = register();
        send(in(id, 1, 1));

        assertThat(problem(send(in(id, 1, 1).body("{}")))).isEqualTo("key-reused");
        assertThat(problem(send(in(id, 1, 1).at("/refunds")))).isEqualTo("key-reused");
        assertThat(effects).hasValue(1);
    }

    @Test
    void whatIsSaidOfASessionHasToMakeSense() {
        String id = register();
        List<Message> malformed = List.of(
                CHARGE.header("Semel-Session", id),
                CHARGE.header("Semel-Request", "1"),
                CHARGE.header("Semel-First-Outstanding", "1"),
                CHARGE.header("Semel-Session", id).header("Semel-Request", "1"),
                in(id, 1, 1).header("Semel-Session", id),
                in(id, 1, 1).header("Semel-Request", "1"),
                in(id, 1, 1).header("Semel-First-Outstanding", "1"),
                in(id, "0", "1"),
                in(id, "1", "0"),
                in(id, "-1", "1"),
                in(id, "+1", "1"),
                in(id, "01", "1"),
                in(id, "1.0", "1"),
                in(id, "1, 2", "1"),
                in(id, "", "1"),
                in(id, "1", ""),
                in(id, "\u0661", "1"),
                in(id, "1000000000000000000", "1"),
                in(id, "9223372036854775808", "1"),
                in(id, "9".repeat(100), "1"),
                in(id, 1, 2),
                in("", 1, 1),
                in("a b", 1, 1),
                in("x".repeat(65), 1, 1),
                in(id, 1, 1).key(KEY));
        for (Message message : malformed) {
            Answer answer = send(message);
            assertThat(answer.status()).as(message.lines().toString()).isEqualTo(400);
            assertThat(problem(answer)).isEqualTo("malformed-session");
        }
        assertThat(effects).hasValue(0);
        assertThat(sessions.countSessions().requests()).isZero();
    }

    @Test
    void aLargeNumberIsANumber() {
        String id = register();

        assertThat(send(in(id, "999999999999999999", "999999999999999999")).status())
                .isEqualTo(201);
    }

    @Test
    void keysGoOnBesideSessions() {
        register();
        send(PAY);

        assertThat(replayed(send(PAY))).isTrue();
        assertThat(send(CHARGE).status()).isEqualTo(201);
        assertThat(effects).hasValue(2);
    }

    @Test
    void aNumberCountsAsTheKeyThatIsRequired() {
        offer(HttpRules.standard().keys(KeyUse.REQUIRED), Mode.SET);
        String id = register();

        assertThat(send(in(id, 1, 1)).status()).isEqualTo(201);
        assertThat(problem(send(CHARGE))).isEqualTo("missing-key");
    }

    @Test
    void aDoorWithoutSessionsSaysSo() {
        door = door(HttpRules.standard());

        assertThat(problem(send(in("some", 1, 1)))).isEqualTo("unsupported");
        assertThat(effects).hasValue(0);
        door = door(HttpRules.standard().keys(KeyUse.REJECTED));
        assertThat(problem(send(in("some", 1, 1)))).isEqualTo("unsupported");
    }

    @Test
    void methodsThatTakeNoPartPassWithoutTheirNumberBeingLookedAt() {
        assertThat(send(in("", 0, 0).by("GET")).status()).isEqualTo(201);
        assertThat(send(in("", 0, 0).by("PUT")).status()).isEqualTo(201);
    }

    @Test
    void nothingElseCanBeDoneToSessions() {
        String id = register();

        assertThat(send(REGISTER.by("GET")).header("Allow")).hasValue("POST");
        assertThat(send(REGISTER.by("DELETE")).header("Allow")).hasValue("POST");
        assertThat(send(keepAlive(id).by("GET")).status()).isEqualTo(405);
        assertThat(send(keepAlive(id).by("POST")).header("Allow")).hasValue("PUT, DELETE");
        assertThat(problem(send(keepAlive("../x")))).isEqualTo("session-unknown");
        assertThat(problem(send(keepAlive("")))).isEqualTo("session-unknown");
        assertThat(effects).hasValue(0);
        assertThat(send(REGISTER.by("OPTIONS")).status()).isEqualTo(201);
        assertThat(send(REGISTER.at("/.semel/sessionsomething")).status()).isEqualTo(201);
        assertThat(effects).hasValue(2);
    }

    @Test
    void theRetentionOfKeysIsNotAdvertisedForNumbers() {
        offer(HttpRules.standard().advertiseRetention(), Mode.SET);
        Message request = in(register(), 1, 1);

        assertThat(((RequestDecision.Run) door.enter(request, request.body())).headers())
                .isEmpty();
    }

    private void offer(HttpRules rules, Mode mode) {
        door = door(rules)
                .sessions(HttpSessions.on(sessions, Engine.on(sessions, time))
                        .mode(mode)
                        .window(4)
                        .lease(LEASE));
    }

    private String register() {
        return id(send(REGISTER));
    }

    private static String id(Answer registered) {
        String text = text(registered);
        return text.substring("{\"id\":\"".length(), text.indexOf("\",\"leaseMillis"));
    }

    private static Message in(String id, long number, long firstOutstanding) {
        return in(id, Long.toString(number), Long.toString(firstOutstanding));
    }

    private static Message in(String id, String number, String firstOutstanding) {
        return CHARGE.header("Semel-Session", id)
                .header("Semel-Request", number)
                .header("Semel-First-Outstanding", firstOutstanding);
    }

    private static Message keepAlive(String id) {
        return Message.of("PUT", "/.semel/sessions/" + id);
    }

    private static Message close(String id) {
        return Message.of("DELETE", "/.semel/sessions/" + id);
    }
}
