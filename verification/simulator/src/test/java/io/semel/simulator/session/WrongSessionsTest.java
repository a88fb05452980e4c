// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.session;

import static io.semel.simulator.session.SessionInvariant.BOUNDED;
import static io.semel.simulator.session.SessionInvariant.EFFECT_ONCE;
import static io.semel.simulator.session.SessionInvariant.ENDED;
import static io.semel.simulator.session.SessionInvariant.IN_ORDER;
import static io.semel.simulator.session.SessionInvariant.NOT_FORGOTTEN;
import static io.semel.simulator.session.SessionInvariant.SAME_ANSWER;
import static io.semel.simulator.session.SessionInvariant.UNSTUCK;
import static io.semel.simulator.session.SessionInvariant.WITHIN_WINDOW;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Key;
import io.semel.Outcome.Reason;
import io.semel.session.MemorySessions;
import io.semel.session.RequestKey;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.simulator.Played;
import io.semel.simulator.Seeds;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator itself under test: what is wrong with a store of sessions, it must find out. */
class WrongSessionsTest {

    private static final int SEEDS = 500;
    private static final PrintStream SILENT = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);

    @ParameterizedTest(name = "{0} breaks {1}")
    @MethodSource
    void aWrongStoreIsFound(Function<MemorySessions, BentSessions> wrong, SessionInvariant breaks) {
        SessionSimulation simulation = SessionSimulation.on(time -> wrong.apply(new MemorySessions(1000, time)));

        Played found = Seeds.of(0, SEEDS, SILENT).find(simulation);

        assertThat(found).isNotNull();
        assertThat(found.violation().rule()).isEqualTo(breaks);
    }

    static Stream<Arguments> aWrongStoreIsFound() {
        return Stream.of(
                wrong("one that grants what is settled", GrantsWhatIsSettled::new, EFFECT_ONCE),
                wrong("one that remembers the last answer only", LastAnswer::new, SAME_ANSWER),
                wrong("one that calls stale what is settled", CallsStale::new, NOT_FORGOTTEN),
                wrong("one that grants what is stale", store -> new Grants(store, Reason.STALE), WITHIN_WINDOW),
                wrong("one that grants in any order", store -> new Grants(store, Reason.OUT_OF_ORDER), IN_ORDER),
                wrong("one that makes sessions by itself", MakesSessions::new, ENDED),
                wrong("one that counts requests of the past", Hoards::new, BOUNDED),
                wrong("one that grants nothing", GrantsNothing::new, UNSTUCK));
    }

    private static Arguments wrong(String name, Function<MemorySessions, BentSessions> wrong, SessionInvariant breaks) {
        return Arguments.of(Named.of(name, wrong), breaks);
    }

    private static final class GrantsWhatIsSettled extends BentSessions {

        GrantsWhatIsSettled(MemorySessions straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            return claim instanceof Claim.Settled ? new Claim.Granted(1000, false) : claim;
        }
    }

    private static final class LastAnswer extends BentSessions {

        private final Map<SessionKey, byte[]> last = new HashMap<>();

        LastAnswer(MemorySessions straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            if (settlement instanceof Settlement.Complete complete) {
                last.put(RequestKey.of(key).session(), complete.result());
            }
            return super.settle(key, holder, fence, settlement);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            byte[] answer = last.get(RequestKey.of(call.key()).session());
            return claim instanceof Claim.Settled settled && answer != null
                    ? new Claim.Settled(settled.fingerprint(), answer, settled.remaining())
                    : claim;
        }
    }

    private static final class CallsStale extends BentSessions {

        CallsStale(MemorySessions straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            return claim instanceof Claim.Settled ? new Claim.Refused(Reason.STALE) : claim;
        }
    }

    private static final class Grants extends BentSessions {

        private final Reason ignored;

        Grants(MemorySessions straight, Reason ignored) {
            super(straight);
            this.ignored = ignored;
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            return claim instanceof Claim.Refused refused && refused.reason() == ignored
                    ? new Claim.Granted(1000, false)
                    : claim;
        }
    }

    private static final class MakesSessions extends BentSessions {

        MakesSessions(MemorySessions straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            SessionKey key = RequestKey.of(call.key()).session();
            straight.register(new Session(key, Session.Mode.SET, 100, Duration.ofHours(1)));
            return super.claim(call, holder, lease);
        }
    }

    private static final class Hoards extends BentSessions {

        private int settled;

        Hoards(MemorySessions straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            settled++;
            return super.settle(key, holder, fence, settlement);
        }

        @Override
        public Counts countSessions() {
            return new Counts(super.countSessions().sessions(), settled);
        }
    }

    private static final class GrantsNothing extends BentSessions {

        GrantsNothing(MemorySessions straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            return claim instanceof Claim.Granted ? new Claim.Held(call.fingerprint(), lease) : claim;
        }
    }
}
