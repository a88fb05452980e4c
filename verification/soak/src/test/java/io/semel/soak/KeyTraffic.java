// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Operator;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.WhenAbandoned;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.time.KeyTime;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Every way in which a call can begin and end, on keys of which each is used for a short time. */
final class KeyTraffic implements Soak.Traffic {

    static final Duration LEASE = Duration.ofMillis(150);
    private static final Duration RETENTION = Duration.ofMillis(300);
    private static final int LARGEST_ANSWER = 500;
    private static final Fingerprint ASKED = Fingerprint.of("asked");

    private final Store store;
    private final Engine engine;
    private final Operator operator;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong released = new AtomicLong();
    private final CountedTime time = new CountedTime();

    KeyTraffic(Store store) {
        this(store, store);
    }

    /** For a store that shows its records only through another one on the same table. */
    KeyTraffic(Store runs, Store shows) {
        this.store = shows;
        this.engine = Engine.on(runs, time)
                .with(Operation.named("soak")
                        .lease(LEASE)
                        .retention(RETENTION, Duration.ofMillis(200))
                        .keyTime(KeyTime.NONE, Duration.ZERO)
                        .keepAnswersUpTo(LARGEST_ANSWER)
                        .waitWhenBusy(Duration.ofSeconds(20))
                        .whenAbandoned(WhenAbandoned.refuse()));
        this.operator = Engine.on(shows).with(engine.operation()).operator("soak");
    }

    /** A soak of this traffic on its store. */
    Soak soak(String name) {
        return soak(name, () -> true);
    }

    /** A soak whose end also waits for something else to be cleaned up. */
    Soak soak(String name, BooleanSupplier also) {
        return Soak.of(name)
                .threads(24, this)
                .count("timers above four", () -> Math.max(4, time.mostTimers()))
                .untilAtRest(() -> isEmpty() && also.getAsBoolean())
                .left(() ->
                        operator.page(Inspectable.View.OLDEST, null, 5).slots().toString());
    }

    @Override
    public void once(Random random) throws Exception {
        Call call = Call.of(Key.of("soak", "key-" + next.incrementAndGet()), ASKED);
        switch (random.nextInt(20)) {
            case 0 -> failing(call);
            case 1 -> rejected(call);
            case 2 -> tooLarge(call);
            case 3 -> slow(call);
            case 4 -> contended(random);
            case 5 -> abandoned(call);
            case 6 -> held(call);
            default -> replayed(call);
        }
    }

    private void replayed(Call call) {
        AtomicInteger effects = new AtomicInteger();
        long start = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            Outcome<String> outcome = pay(call, effects, 0);
            if (outcome instanceof Outcome.Done<String> done) {
                assertEquals("paid", done.value());
            } else {
                settleUnknown(call, outcome);
            }
        }
        boolean inTime = System.nanoTime() - start < RETENTION.toNanos();
        assertTrue(effects.get() <= 1 || !inTime, () -> effects + " effects of " + call.key());
    }

    /** Several threads ask for the same key at about the same time. */
    private void contended(Random random) {
        Call call = Call.of(Key.of("soak", "shared-" + next.get() / 100 + "-" + random.nextInt(2)), ASKED);
        Outcome<String> outcome = pay(call, new AtomicInteger(), 2);
        settleUnknown(call, outcome);
    }

    private void slow(Call call) {
        settleUnknown(call, pay(call, new AtomicInteger(), LEASE.toMillis() * 2));
    }

    private Outcome<String> pay(Call call, AtomicInteger effects, long millis) {
        try {
            return engine.run(call, Codec.utf8(), attempt -> {
                effects.incrementAndGet();
                Thread.sleep(millis);
                return "paid";
            });
        } catch (io.semel.LeaseLost | InterruptedException e) {
            return new Outcome.Refused<>(Outcome.Reason.UNKNOWN);
        }
    }

    /** How many keys were let go after a failure; a store may remember their fences for longer than this runs. */
    long released() {
        return released.get();
    }

    private void failing(Call call) {
        released.incrementAndGet();
        try {
            engine.run(call, Codec.utf8(), attempt -> {
                throw new IllegalStateException("on purpose");
            });
        } catch (IllegalStateException expected) {
            assertEquals("on purpose", expected.getMessage());
        }
    }

    private void rejected(Call call) {
        for (int i = 0; i < 2; i++) {
            try {
                engine.run(call, Codec.utf8(), attempt -> {
                    throw new Rejection("no", "on purpose");
                });
            } catch (Rejection expected) {
                assertEquals("no", expected.code());
            }
        }
    }

    private void tooLarge(Call call) {
        engine.run(call, Codec.utf8(), attempt -> "x".repeat(2 * LARGEST_ANSWER));
    }

    /** In a transaction there is nothing to abandon: it rolls back. */
    private void abandoned(Call call) {
        if (engine.level() != Level.JOINED
                && engine.begin(call, Codec.utf8()) instanceof Begun.Started<String> started) {
            started.abandon();
        }
        settleUnknown(call, pay(call, new AtomicInteger(), 0));
    }

    private void held(Call call) {
        if (engine.level() != Level.JOINED
                && engine.begin(call, Codec.utf8()) instanceof Begun.Started<String> started) {
            started.hold("on purpose");
        }
        settleUnknown(call, pay(call, new AtomicInteger(), 0));
    }

    /** An operator finds out that it happened. */
    private void settleUnknown(Call call, Outcome<String> outcome) {
        if (outcome instanceof Outcome.Refused<String> refused && refused.reason() == Outcome.Reason.UNKNOWN) {
            operator.look(call.key())
                    .filter(slot -> slot.state() == Slot.State.UNKNOWN)
                    .ifPresent(slot -> operator.resolve(slot, Codec.utf8(), "paid"));
        }
    }

    private boolean isEmpty() {
        if (store instanceof Purgeable purgeable) {
            int purged;
            do {
                purged = purgeable.purge(1000);
            } while (purged > 0);
        }
        return operator.page(Inspectable.View.OLDEST, null, 1).slots().isEmpty();
    }
}
