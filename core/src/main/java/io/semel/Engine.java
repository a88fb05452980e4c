// SPDX-License-Identifier: Apache-2.0
package io.semel;

import io.semel.internal.engine.Batches;
import io.semel.internal.engine.ClaimLoop;
import io.semel.internal.engine.EngineContext;
import io.semel.internal.engine.WorkRun;
import io.semel.internal.frame.Frames;
import io.semel.seal.Seal;
import io.semel.store.Store;
import io.semel.time.Time;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs work once per key and answers every retry with the first answer.
 *
 * <p>An engine is a store and an {@link Operation}; it is immutable, each {@code with…} method gives a changed copy that
 * shares the calls in flight. Make one per store and share it: duplicates within one engine wait on the running call itself.
 */
public final class Engine {

    private static final int SHORTEST_SECRET = 16;

    private final EngineContext context;

    private Engine(EngineContext context) {
        Store store = context.store();
        Operation operation = context.operation();
        if (!store.level().gives(operation.level())) {
            throw new IllegalArgumentException("Operation '" + operation.name() + "' demands " + operation.level()
                    + ", but " + store.getClass().getSimpleName() + " gives only " + store.level() + ". "
                    + (operation.level() == Level.JOINED
                            ? "Use a store joined to your transaction, or demand LEASED and choose a policy for"
                                    + " abandoned calls."
                            : "Use a store that keeps what it acknowledged (PostgreSQL, MySQL, RocksDB),"
                                    + " or demand BEST_EFFORT and accept that a lost record means a repeat."));
        }
        this.context = context;
    }

    /** An engine on a store, with the default settings. */
    public static Engine on(Store store) {
        return on(store, Time.system());
    }

    /** An engine whose heartbeats and waits follow the given time; for tests. */
    public static Engine on(Store store, Time time) {
        return new Engine(EngineContext.of(store, Operation.named("default"), time));
    }

    /** This engine for another operation; refused where the store cannot give the level that it demands. */
    public Engine with(Operation other) {
        return new Engine(context.with(other));
    }

    public Engine withListener(Listener other) {
        return new Engine(context.with(other));
    }

    /** Encrypts answers from now on; answers stored in the clear stay readable. */
    public Engine withSeal(Seal seal) {
        return new Engine(context.with(new Frames(seal)));
    }

    /** Mixes a secret into derived keys, so that nobody who guesses a client's key can tell what was derived from it. */
    public Engine withDerivationSecret(byte[] other) {
        checkSecret("derived keys", other);
        return new Engine(context.withDerivationSecret(other.clone()));
    }

    /**
     * Mixes a secret into the fingerprints that are stored, so that nobody who reads them can confirm a guess of what was asked.
     * Calls that were made under another secret, or under none, are refused as MISMATCH, and never run again: change it where
     * nobody retries any more, or bear that.
     */
    public Engine withFingerprintSecret(byte[] other) {
        checkSecret("fingerprints", other);
        return new Engine(context.withFingerprintSecret(other.clone()));
    }

    private static void checkSecret(String what, byte[] secret) {
        if (secret.length < SHORTEST_SECRET) {
            throw new IllegalArgumentException(
                    "A secret for " + what + " has at least " + SHORTEST_SECRET + " bytes, not " + secret.length + ".");
        }
    }

    /**
     * Runs the work unless it was done before; returning records its answer, throwing forgets.
     *
     * <p>A store that commits the effect together with its record, and had to take both back because another transaction was
     * faster, lets the call begin again; it then finds the other one's answer, or runs the work once more.
     *
     * <p>What the work throws reaches the caller as it is. A {@link Rejection} is recorded, and thrown again at retries.
     *
     * @throws LeaseLost if another attempt took over before this one ended
     * @throws OutcomeUnknown if the work ran but the store did not confirm its answer
     * @throws StoreException if the store could not be asked; then nothing ran
     */
    public <T extends @Nullable Object, E extends Exception> Outcome<T> run(Call call, Codec<T> codec, Work<T, E> work)
            throws E {
        return WorkRun.run(context, call, codec, work);
    }

    /** The first half of {@link #run}, for doors that cannot hand over a lambda. */
    public <T extends @Nullable Object> Begun<T> begin(Call call, Codec<T> codec) {
        return new ClaimLoop<>(context, call, codec).begin();
    }

    /**
     * Many {@link #begin}s with one question to the store, for doors that have many calls at hand. What each would have given or
     * thrown is in its place; most are there already, and what takes more than that one question is done by {@code others}.
     */
    public <T extends @Nullable Object> List<CompletableFuture<Begun<T>>> beginAll(
            List<Call> calls, Codec<T> codec, Executor others) {
        return Batches.begin(context, calls, codec, others);
    }

    /**
     * The answer to a call that needs no attempt: a replay, a refusal or, after {@link Operation#waitWhenBusy}, Busy. Empty if
     * {@link #run} or {@link #begin} has to decide. It claims and writes nothing.
     *
     * <p>For doors that begin a transaction before they call {@link #run}: asked first, a retry takes neither a transaction
     * nor, while it waits for a call of this process, a connection.
     *
     * @throws Rejection the recorded one, as {@link #run} would
     */
    public <T extends @Nullable Object> Optional<Outcome<T>> peek(Call call, Codec<T> codec) {
        return Optional.ofNullable(new ClaimLoop<>(context, call, codec).peek());
    }

    /** What an operator can see and do; the name goes into the events. */
    public Operator operator(String name) {
        return new Operator(context, name);
    }

    public Operation operation() {
        return context.operation();
    }

    /** What the store gives, which may be more than the operation demands. */
    public Level level() {
        return context.store().level();
    }

    /** Whether an attempt of this process holds the key, whatever the store can say of it now. */
    public boolean holds(Key key) {
        return context.holds(key);
    }

    /** For the log of a start: the operation, its store, what that gives, and what becomes of a call whose holder fell silent. */
    @Override
    public String toString() {
        return "operation '" + operation().name() + "' on "
                + context.store().getClass().getSimpleName() + ", level " + level() + ": " + abandoned();
    }

    private String abandoned() {
        if (level() == Level.JOINED) {
            return "a call commits with its answer, or not at all";
        }
        WhenAbandoned policy = operation().whenAbandoned();
        if (policy instanceof WhenAbandoned.Rerun) {
            return "a call whose holder fell silent runs again";
        }
        return policy instanceof WhenAbandoned.Reconcile
                ? "a hook is asked about a call whose holder fell silent"
                : "a call whose holder fell silent is refused as UNKNOWN until an operator resolves it";
    }
}
