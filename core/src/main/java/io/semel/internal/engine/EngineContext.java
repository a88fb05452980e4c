// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.Call;
import io.semel.Event;
import io.semel.Key;
import io.semel.Listener;
import io.semel.Operation;
import io.semel.internal.Listeners;
import io.semel.internal.frame.Frames;
import io.semel.store.Store;
import io.semel.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The store, the settings and the calls in flight of one engine; immutable but for the calls in flight, which copies share. */
public final class EngineContext {

    private static final byte[] NO_SECRET = "semel/derive/1".getBytes(StandardCharsets.US_ASCII);

    private final Store store;
    private final Operation operation;
    private final @Nullable Listener listener;
    private final Frames frames;
    private final byte[] derivationSecret;
    private final byte @Nullable [] fingerprintSecret;
    private final InFlight inFlight;

    private EngineContext(
            Store store,
            Operation operation,
            @Nullable Listener listener,
            Frames frames,
            byte[] derivationSecret,
            byte @Nullable [] fingerprintSecret,
            InFlight inFlight) {
        this.store = store;
        this.operation = operation;
        this.listener = listener;
        this.frames = frames;
        this.derivationSecret = derivationSecret;
        this.fingerprintSecret = fingerprintSecret;
        this.inFlight = inFlight;
    }

    public static EngineContext of(Store store, Operation operation, Time time) {
        return new EngineContext(store, operation, null, new Frames(null), NO_SECRET, null, new InFlight(store, time));
    }

    public EngineContext with(Operation other) {
        return new EngineContext(store, other, listener, frames, derivationSecret, fingerprintSecret, inFlight);
    }

    public EngineContext with(Listener other) {
        return new EngineContext(store, operation, other, frames, derivationSecret, fingerprintSecret, inFlight);
    }

    public EngineContext with(Frames other) {
        return new EngineContext(store, operation, listener, other, derivationSecret, fingerprintSecret, inFlight);
    }

    public EngineContext withDerivationSecret(byte[] other) {
        return new EngineContext(store, operation, listener, frames, other, fingerprintSecret, inFlight);
    }

    public EngineContext withFingerprintSecret(byte[] other) {
        return new EngineContext(store, operation, listener, frames, derivationSecret, other, inFlight);
    }

    public Store store() {
        return store;
    }

    public Operation operation() {
        return operation;
    }

    public Frames frames() {
        return frames;
    }

    /** A holder for one attempt, never used before. */
    public String newHolder() {
        return inFlight.newHolder();
    }

    /** Whether an attempt of this process holds the key. */
    public boolean holds(Key key) {
        return inFlight.find(key) != null;
    }

    public void tell(Event event) {
        if (listener != null) {
            Listeners.tell(listener, event);
        }
    }

    /** The call as the store is asked for it. */
    Call stored(Call call) {
        return fingerprintSecret == null
                ? call
                : new Call(
                        call.key(),
                        call.fingerprint().under(fingerprintSecret),
                        call.firstSent(),
                        call.firstOutstanding(),
                        call.waited(),
                        call.asksAgain());
    }

    byte[] derivationSecret() {
        return derivationSecret;
    }

    InFlight inFlight() {
        return inFlight;
    }

    Time time() {
        return inFlight.time();
    }

    boolean listening() {
        return listener != null;
    }

    Duration since(long start) {
        return Duration.ofNanos(time().nanos() - start);
    }
}
