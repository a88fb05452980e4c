// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.WhenAbandoned;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What an engine can still do after its process crashed, under time that a test moves. */
class CrashedProcessTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Call CALL = Call.of(Key.of("crash", "1"), Fingerprint.none());

    private static final Operation RERUN = Operation.named("rerun").whenAbandoned(WhenAbandoned.rerun());

    private final ManualTime time = new ManualTime();
    private final FlakyStore store = FlakyStore.on(new MemoryStore(1 << 20, time), time);
    private final List<Event> events = new ArrayList<>();
    private final Engine engine = Engine.on(store, time).withListener(events::add);

    @Test
    void aLivingProcessKeepsItsKeyByHeartbeat() {
        Begun.Started<String> started = begin();
        time.advance(LEASE.multipliedBy(10));
        assertThat(store.claim(CALL, "other", LEASE)).isInstanceOf(Claim.Held.class);
        started.complete("done");
    }

    @Test
    void theHeartbeatOfACrashedProcessStopsAndItsLeaseRunsOut() {
        begin();
        store.crash();
        time.advance(LEASE);
        store.restart();
        assertThat(rerun(Engine.on(store, time).with(RERUN))).isEqualTo(new Outcome.Done<>("abandoned: true", false));
    }

    @Test
    void aCrashedProcessCannotRecordWhatItDid() {
        Begun.Started<String> started = begin();
        store.crash();
        assertThatThrownBy(() -> started.complete("done")).isInstanceOf(SimulatedCrash.class);
        store.restart();
        assertThat(store.peek(CALL.key()).orElseThrow()).isInstanceOf(Claim.Held.class);
    }

    @Test
    void aThreadThatOutlivesTheCrashCannotRecordAnythingAfterTheRestart() {
        Begun.Started<String> zombie = begin();
        store.crash();
        store.restart();
        store.letLeasesRunOut();
        assertThat(rerun(Engine.on(store, time).with(RERUN))).isEqualTo(new Outcome.Done<>("abandoned: true", false));
        assertThatThrownBy(() -> zombie.complete("zombie")).isInstanceOf(SimulatedCrash.class);
        assertThat(rerun(engine)).isEqualTo(new Outcome.Done<>("abandoned: true", true));
    }

    @Test
    void workThatThrowsInACrashedProcessDoesNotFreeItsKey() {
        RuntimeException own = new IllegalStateException("own");
        assertThatThrownBy(() -> engine.run(CALL, Codec.utf8(), attempt -> {
                    store.crash();
                    throw own;
                }))
                .isSameAs(own);
        assertThat(own.getSuppressed()).singleElement().isInstanceOf(SimulatedCrash.class);
        store.restart();
        assertThat(store.peek(CALL.key()).orElseThrow()).isInstanceOf(Claim.Held.class);
    }

    @Test
    void oneLostAcknowledgementIsMadeGoodByTheEngine() {
        store.next(CrashPoint.AFTER_CLAIM).fails();
        store.next(CrashPoint.AFTER_COMPLETE).fails();
        assertThat(rerun(engine)).isEqualTo(new Outcome.Done<>("abandoned: false", false));
        assertThat(store.pending()).isZero();
        assertThat(rerun(engine)).isEqualTo(new Outcome.Done<>("abandoned: false", true));
    }

    @Test
    void noWorkRunsWhileTheStoreIsDown() {
        AtomicBoolean ran = new AtomicBoolean();
        store.down();
        assertThatThrownBy(() -> engine.run(CALL, Codec.nothing(), attempt -> {
                    ran.set(true);
                    return null;
                }))
                .hasMessageContaining("down");
        assertThat(ran).isFalse();
        assertThat(events).singleElement().isInstanceOf(Event.ClaimFailed.class);
    }

    private Begun.Started<String> begin() {
        return (Begun.Started<String>) engine.begin(CALL, Codec.utf8());
    }

    private static Outcome<String> rerun(Engine engine) {
        return engine.run(CALL, Codec.utf8(), attempt -> "abandoned: " + attempt.abandoned());
    }
}
