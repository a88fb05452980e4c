// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.Level;
import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import io.semel.testkit.fault.FlakyStore;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends one request more than once, in one {@link Way}, to a service that is to have its effect once.
 *
 * <pre>{@code
 * @SentTwice
 * void aPaymentIsChargedOnce(Sender sender) {
 *     sender.start(() -> new Payments(Engine.on(sender.store()), sender.effects()::add))
 *             .send(payments -> payments.pay("order-17", 500))
 *             .hasOneEffect()
 *             .answersEqually();
 * }
 * }</pre>
 *
 * <p>Like a good client it comes again when it is told Busy. Without JUnit's annotations, make one for each way:
 * {@code Sender.of(way)}.
 */
public final class Sender {

    private static final long STORE_BYTES = 16 << 20;

    private final Way way;
    private final Signs signs = new Signs();
    private FlakyStore store = FlakyStore.on(new MemoryStore(STORE_BYTES)).promising(Level.LEASED);
    private Effects effects = new Effects(store);
    private AfterCrash afterCrash = AfterCrash.AT_MOST_ONCE;
    private @Nullable Sent<?> sent;

    private Sender(Way way) {
        this.way = way;
    }

    public static Sender of(Way way) {
        return new Sender(way);
    }

    /** Sends to a service on this store instead of one in memory, healing it afterwards; call it before anything else. */
    public Sender over(Store other) {
        store = other instanceof FlakyStore flaky ? flaky : FlakyStore.on(other);
        effects = new Effects(store);
        return this;
    }

    /** What a test expects after a crash at which nobody knows whether the effect happened; {@code AT_MOST_ONCE} unless said. */
    public Sender afterCrash(AfterCrash expected) {
        afterCrash = expected;
        return this;
    }

    /** What "come again later" looks like, thrown or returned, where it is not the engine's own Busy. */
    public <A> Sender busyWhen(Class<A> type, Predicate<? super A> sign) {
        signs.busyWhen(type, sign);
        return this;
    }

    /** What "nobody knows" looks like, thrown or returned, where it is not the engine's own UNKNOWN. */
    public <A> Sender unknownWhen(Class<A> type, Predicate<? super A> sign) {
        signs.unknownWhen(type, sign);
        return this;
    }

    public Way way() {
        return way;
    }

    /** The store that the service is to use; it survives the crashes of the service. */
    public FlakyStore store() {
        return store;
    }

    /** Where the service's effects are to land, unless the test counts them by itself. */
    public Effects effects() {
        return effects;
    }

    /** A service that can be started, again after a crash and twice for two processes: whatever it keeps in memory is then lost. */
    public <S> Service<S> start(Callable<S> starting) {
        return new Service<>(this, starting);
    }

    /** Sends to something that is running, such as a server: always the same one, which keeps its memory in a simulated crash. */
    public <T extends @Nullable Object> Sent<T> send(Callable<T> request) {
        return start(() -> request).send(Callable::call);
    }

    /** Complains about a test that sent nothing, or asserted nothing about it. */
    void checkUsed() {
        Sent<?> last = sent;
        if (last == null) {
            throw new AssertionError(
                    "The test sent nothing, so it tested nothing: call sender.start(…).send(…) or sender.send(…).");
        }
        if (!last.asserted()) {
            throw new AssertionError(
                    "The test asserted nothing about what it sent: end with .hasOneEffect().answersEqually().");
        }
    }

    Signs signs() {
        return signs;
    }

    AfterCrash afterCrash() {
        return afterCrash;
    }

    private <T extends @Nullable Object> Sent<T> remember(Sent<T> latest) {
        sent = latest;
        return latest;
    }

    /** A service under test, not started yet. */
    public static final class Service<S> {

        private final Sender sender;
        private final Callable<S> starting;

        private Service(Sender sender, Callable<S> starting) {
            this.sender = sender;
            this.starting = starting;
        }

        /** Starts the service and sends the request to it, in the sender's way, until every delivery has its answer. */
        public <T extends @Nullable Object> Sent<T> send(Request<? super S, T> request) {
            return sender.remember(new Delivering<S, T>(sender, starting, request).run());
        }
    }

    /** One request, as a client sends it; the same at every delivery. */
    @FunctionalInterface
    public interface Request<S, T extends @Nullable Object> {

        T send(S service) throws Exception;
    }
}
