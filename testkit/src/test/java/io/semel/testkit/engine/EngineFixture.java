// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.engine;

import io.semel.Attempt;
import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.WhenAbandoned;
import io.semel.memory.MemoryStore;
import io.semel.store.Slot;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine, its store and two processes' worth of handles on it, all under manual time. */
abstract class EngineFixture {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Call CALL = Call.of(Key.of("payments", "order-17"), Fingerprint.of("500 EUR"));
    static final Operation RERUN = Operation.named("rerun").whenAbandoned(WhenAbandoned.rerun());
    static final Codec<String> UTF8 = Codec.utf8();

    final ManualTime time = new ManualTime();
    final MemoryStore store = new MemoryStore(1 << 20, time);
    final List<Event> events = new CopyOnWriteArrayList<>();
    final AtomicInteger runs = new AtomicInteger();
    final Engine engine = Engine.on(store, time).withListener(events::add);

    /** Another process on the same store, with other settings; its heartbeat is its own. */
    Engine elsewhere(Operation operation) {
        return Engine.on(store, time).withListener(events::add).with(operation);
    }

    /** A holder that claims and is never heard of again. */
    void claimAndVanish() {
        store.claim(CALL, "a holder that vanishes", LEASE);
        time.advance(LEASE);
    }

    Begun.Started<String> begin(Engine on) {
        return (Begun.Started<String>) on.begin(CALL, UTF8);
    }

    Slot slot() {
        return store.look(CALL.key()).orElseThrow();
    }

    String countedRun(Attempt attempt) {
        return "run " + runs.incrementAndGet();
    }

    <E extends Event> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
