// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Listener;
import io.semel.NotDone;
import io.semel.Operation;
import io.semel.Rejection;
import io.semel.StoreException;
import io.semel.WhenAbandoned;
import io.semel.memory.MemoryStore;
import io.semel.session.MemorySessions;
import io.semel.session.Session;
import io.semel.store.Purger;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import java.time.Duration;

/** Calls of every kind on a real engine, and what Prometheus would read of them. */
final class Traffic {

    private static final Codec<String> UTF8 = Codec.utf8();

    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final MemoryStore store = new MemoryStore(1 << 20);
    private final Listener listener = new CallMeters(registry);
    private final Engine engine = engine(Operation.named("pay"));

    final MemorySessions sessions = new MemorySessions(4);
    private final Listener ofSessions = new SessionMeters(sessions, 4, Duration.ZERO, registry);
    private final Engine numbered = Engine.on(sessions)
            .with(Operation.named("order"))
            .withListener(event -> {
                listener.on(event);
                ofSessions.on(event);
            });

    Traffic() {
        new StoreMeters(store, Duration.ZERO).bindTo(registry);
        Purger purger = new Purger(store, Duration.ofHours(1), Purger.BATCH, new PurgeLog("keys"));
        new PurgeMeters("keys", purger).bindTo(registry);
    }

    Engine engine(Operation operation) {
        return Engine.on(store).with(operation).withListener(listener);
    }

    static Call call(String id) {
        return Call.of(Key.of("payments", id), Fingerprint.of("5 EUR"));
    }

    String scrape() {
        return registry.scrape();
    }

    Traffic executed(String id) {
        engine.run(call(id), UTF8, attempt -> "paid");
        return this;
    }

    Traffic rejected() {
        return thrown(() -> engine.run(call("rejected"), UTF8, attempt -> {
            throw new Rejection("no-funds", "There is not enough.");
        }));
    }

    Traffic released() {
        return thrown(() -> engine.run(call("released"), UTF8, attempt -> {
            throw new IllegalStateException("no");
        }));
    }

    Traffic mismatch() {
        return thrown(
                () -> engine.run(Call.of(call("executed").key(), Fingerprint.of("6 EUR")), UTF8, attempt -> "paid")
                        .orThrow());
    }

    Traffic busy() {
        store.claim(call("busy"), "somebody", Duration.ofHours(1));
        return thrown(() -> engine.run(call("busy"), UTF8, attempt -> "paid").orThrow());
    }

    Traffic tooLarge() {
        engine(Operation.named("pay").keepAnswersUpTo(1)).run(call("large"), UTF8, attempt -> "paid");
        return thrown(() -> engine.run(call("large"), UTF8, attempt -> "paid").orThrow());
    }

    /** The holder falls silent; the policy holds it as unknown. */
    Traffic unknown() {
        var fence =
                ((io.semel.store.Claim.Granted) store.claim(call("unknown"), "silent", Duration.ofHours(1))).fence();
        store.settle(call("unknown").key(), "silent", fence, new Settlement.Renew(Duration.ZERO));
        Engine refusing = engine(Operation.named("pay").whenAbandoned(WhenAbandoned.refuse()));
        return thrown(
                () -> refusing.run(call("unknown"), UTF8, attempt -> "paid").orThrow());
    }

    Traffic leaseLost() {
        return thrown(() -> engine.run(call("lost"), UTF8, attempt -> {
            store.settle(call("lost").key(), holder(), attempt.fence(), new Settlement.Release());
            return "paid";
        }));
    }

    private String holder() {
        return store.look(call("lost").key()).map(Slot::holder).orElseThrow();
    }

    Traffic storeDown() {
        Engine down = Engine.on(new DownStore()).with(Operation.named("pay")).withListener(listener);
        return thrown(() -> down.run(call("down"), UTF8, attempt -> "paid"));
    }

    Traffic operated() {
        var operator = engine.operator("me");
        operator.release(operator.look(call("unknown").key()).orElseThrow());
        return this;
    }

    /** A call that stays in flight. */
    Traffic started() {
        if (!(engine.begin(call("running"), UTF8) instanceof Begun.Started)) {
            throw new AssertionError("It should have started.");
        }
        return this;
    }

    Traffic everything() {
        return executed("executed")
                .executed("executed")
                .rejected()
                .released()
                .mismatch()
                .busy()
                .tooLarge()
                .unknown()
                .operated()
                .leaseLost()
                .storeDown()
                .started()
                .numbered();
    }

    /** Requests of sessions, one of each fate that they have of their own. */
    Traffic numbered() {
        Session strict = Session.of("payments").mode(Session.Mode.STRICT).window(4);
        Session brief = Session.of("payments").lease(Duration.ofMillis(10));
        sessions.register(strict);
        sessions.register(brief);
        number(strict, 1, 1);
        number(strict, 1, 1);
        number(strict, 2, 2);
        thrown(() -> number(strict, 1, 1));
        thrown(() -> number(strict, 4, 2));
        thrown(() -> number(strict, 9, 2));
        thrown(() -> number(Session.of("payments"), 1, 1));
        while (sessions.countSessions().sessions() > 1) {
            Thread.onSpinWait();
        }
        return thrown(() -> number(brief, 1, 1));
    }

    private void number(Session session, long number, long firstOutstanding) {
        Call call = session.key().call(number, firstOutstanding, Fingerprint.of("5 EUR"));
        numbered.run(call, UTF8, attempt -> "paid").orThrow();
    }

    private Traffic thrown(Runnable call) {
        try {
            call.run();
        } catch (NotDone | Rejection | IllegalStateException | StoreException | io.semel.LeaseLost expected) {
            return this;
        }
        throw new AssertionError("It should not have been done.");
    }
}
