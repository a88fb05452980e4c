// SPDX-License-Identifier: Apache-2.0
package io.semel.store;

import io.semel.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries the questions of many threads to a backend together, for stores whose round trips or commits cost more than
 * what is in them.
 *
 * <p>Whoever asks while fewer than {@code lanes} trips are under way leaves at once and alone; whoever comes later waits
 * for one of them to end and goes with all others who waited. So nothing is delayed on an idle store, and a busy one
 * makes few trips. There is no thread of its own: one of those who wait makes the trip for all.
 */
public final class Combiner<Q, A> {

    private static final Duration UNBOUNDED = Duration.ofDays(365);

    private final int lanes;
    private final int most;
    private final Function<? super Q, ?> subject;
    private final Function<? super List<Q>, ? extends List<A>> trip;
    private final Duration patience;

    private final Object lock = new Object();
    private final Deque<Passenger<Q, A>> waiting = new ArrayDeque<>();
    private int underWay;

    /**
     * A combiner of trips.
     *
     * @param lanes how many trips may be under way at once
     * @param most how many questions one trip may carry
     * @param subject what a question is about; two about the same never share a trip
     * @param trip answers questions in their order
     */
    public Combiner(
            int lanes, int most, Function<? super Q, ?> subject, Function<? super List<Q>, ? extends List<A>> trip) {
        this(lanes, most, subject, trip, UNBOUNDED);
    }

    /**
     * A combiner of trips that may get stuck.
     *
     * @param patience how long a question waits for others; only those who make a trip may be held longer, by its backend
     */
    public Combiner(
            int lanes,
            int most,
            Function<? super Q, ?> subject,
            Function<? super List<Q>, ? extends List<A>> trip,
            Duration patience) {
        if (lanes < 1 || most < 1) {
            throw new IllegalArgumentException(
                    "A combiner needs at least one lane and one question a trip, not " + lanes + " and " + most + ".");
        }
        this.lanes = lanes;
        this.most = most;
        this.subject = subject;
        this.trip = trip;
        this.patience = patience;
    }

    /**
     * The answer to a question.
     *
     * @throws StoreException for everybody on a trip that failed, where whoever made the trip gets what it threw; and for
     *     whoever waited longer than the patience
     */
    public A ask(Q question) {
        Passenger<Q, A> self = new Passenger<>(question);
        if (leaveOrQueue(self) || self.await(patience.toNanos(), this::giveUp)) {
            travel(self);
        }
        return self.answer();
    }

    private boolean leaveOrQueue(Passenger<Q, A> self) {
        synchronized (lock) {
            if (underWay < lanes) {
                underWay++;
                return true;
            }
            waiting.add(self);
            return false;
        }
    }

    /** For one who has waited long enough: nothing was asked if it is still in the queue, else its trip is stuck. */
    private void giveUp(Passenger<Q, A> late) {
        synchronized (lock) {
            if (waiting.remove(late)) {
                throw StoreException.changedNothing(
                        "The store was busy with the requests of others for " + patience + "; this one was not sent.",
                        null);
            }
            if (late.boarded) {
                throw new StoreException(
                        "The store has not answered within " + patience
                                + ", so it is not known whether it did as asked. It may be stalled.",
                        null);
            }
            // It has just been told to lead, and must.
        }
    }

    private void travel(Passenger<Q, A> leader) {
        List<Passenger<Q, A>> load = List.of(leader);
        try {
            load = board(leader);
            List<A> answers =
                    trip.apply(load.stream().map(each -> each.question).toList());
            if (answers.size() != load.size()) {
                throw new IllegalStateException(
                        "A trip with " + load.size() + " questions brought " + answers.size() + " answers.");
            }
            handOver();
            for (int i = 0; i < load.size(); i++) {
                load.get(i).arrive(answers.get(i));
            }
        } catch (RuntimeException | Error e) {
            handOver();
            load.stream().skip(1).forEach(each -> each.fail(e));
            throw e;
        }
    }

    /** Lets the next trip leave before the answers of this one are handed out. */
    private void handOver() {
        Passenger<Q, A> next;
        synchronized (lock) {
            next = waiting.poll();
            if (next == null) {
                underWay--;
                return;
            }
        }
        next.lead();
    }

    /** Who came while the leader was being woken goes with it as well. */
    private List<Passenger<Q, A>> board(Passenger<Q, A> leader) {
        synchronized (lock) {
            if (waiting.isEmpty()) {
                return List.of(leader);
            }
            List<Passenger<Q, A>> load = new ArrayList<>(Math.min(most, waiting.size() + 1));
            load.add(leader);
            Set<Object> subjects = new HashSet<>();
            subjects.add(subject.apply(leader.question));
            waiting.removeIf(
                    each -> load.size() < most && subjects.add(subject.apply(each.question)) && each.boards(load));
            return load;
        }
    }

    /** One who asks: told either to make a trip for those who wait, or how its own question was answered. */
    private static final class Passenger<Q, A> {

        private final Q question;
        private final Thread thread = Thread.currentThread();
        private volatile boolean told;
        /** Under the combiner's lock. */
        private boolean boarded;

        private boolean leads;
        private @Nullable A answer;
        private @Nullable Throwable failure;

        Passenger(Q question) {
            this.question = question;
        }

        boolean boards(List<Passenger<Q, A>> load) {
            boarded = true;
            return load.add(this);
        }

        /** Whether it is to make a trip; if not, another thread has made it. */
        boolean await(long nanos, Consumer<Passenger<Q, A>> giveUp) {
            boolean interrupted = false;
            long end = System.nanoTime() + nanos;
            try {
                while (!told) {
                    LockSupport.parkNanos(this, Math.max(1, end - System.nanoTime()));
                    // The question may be on its way already; its answer must not be lost.
                    interrupted |= Thread.interrupted();
                    if (!told && System.nanoTime() - end >= 0) {
                        giveUp.accept(this);
                    }
                }
            } finally {
                if (interrupted) {
                    thread.interrupt();
                }
            }
            return leads;
        }

        void lead() {
            leads = true;
            tell();
        }

        void arrive(A value) {
            answer = value;
            tell();
        }

        void fail(Throwable cause) {
            failure = cause;
            tell();
        }

        private void tell() {
            told = true;
            if (Thread.currentThread() != thread) {
                LockSupport.unpark(thread);
            }
        }

        @SuppressWarnings("NullAway") // A passenger that has no failure has its answer.
        A answer() {
            if (failure != null) {
                throw own(failure);
            }
            return answer;
        }

        /** A failure is thrown in several threads; each gets its own, with its own trace. */
        private static StoreException own(Throwable failure) {
            String message = "What was asked together with others failed: " + failure.getMessage();
            if (!(failure instanceof StoreException known) || !known.changedNothing()) {
                return new StoreException(message, failure);
            }
            return known.isUnreachable()
                    ? StoreException.unreachable(message, known)
                    : StoreException.changedNothing(message, known);
        }
    }
}
