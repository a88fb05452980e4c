// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.session;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Outcome;
import io.semel.Outcome.Reason;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.simulator.Chance;
import io.semel.simulator.Task;
import io.semel.simulator.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A client that keeps the rules: it numbers its requests, has as many outstanding as its window allows, sends each again until it is
 * answered, and after the end of a session sends nothing of it under another. Its network delivers some requests late and twice.
 */
final class Client implements Runnable {

    private static final int PATIENCE = 300;

    private final World world;
    private final Chance chance;
    private final Service service;
    private final Duration lease;
    private final String name;
    private int sessions;

    Client(World world, Service service, Duration lease, String name) {
        this.world = world;
        this.chance = world.chance();
        this.service = service;
        this.lease = lease;
        this.name = name;
    }

    @Override
    public void run() {
        for (int i = chance.between(1, 2); i > 0; i--) {
            new Conversation().run();
        }
    }

    /** One session, from its registration to its end. */
    private final class Conversation {

        private final Session session = new Session(
                new SessionKey("sim", name + "-" + ++sessions),
                chance.of(0.5) ? Session.Mode.SET : Session.Mode.STRICT,
                chance.between(1, 4),
                lease.multipliedBy(chance.between(2, 8)));

        private final Set<Long> outstanding = new HashSet<>();
        private long next = 1;
        private boolean over;

        void run() {
            insist("register", () -> service.say(store -> store.register(session)));
            List<Task> requests = new ArrayList<>();
            for (long left = chance.between(1, 6); left > 0 && !over; left--) {
                waitForRoom();
                long number = next++;
                outstanding.add(number);
                requests.add(world.spawn(session.key().id() + "#" + number, () -> request(number)));
                world.sleep(chance.partOf(lease, 0, 0.3));
                if (chance.of(0.1)) {
                    world.sleep(chance.partOf(session.lease(), 0.5, 1.5));
                }
                if (chance.of(0.2)) {
                    keepAlive();
                }
            }
            world.join(requests);
            if (chance.of(0.5)) {
                insist("close", () -> service.say(store -> store.close(session.key())));
            }
        }

        private void keepAlive() {
            Optional<SessionStore.State> state =
                    service.say(store -> store.keepAlive(session.key(), firstOutstanding()));
            over |= state.isPresent() && state.get() != SessionStore.State.LIVE;
        }

        private void waitForRoom() {
            while (!over && next >= firstOutstanding() + session.window()) {
                world.sleep(lease.dividedBy(20));
            }
        }

        private long firstOutstanding() {
            return outstanding.stream().mapToLong(Long::longValue).min().orElse(next);
        }

        private void request(long number) {
            Numbered numbered = new Numbered(session.key().id() + "#" + number);
            boolean[] answered = new boolean[1];
            insist(numbered.name, () -> {
                if (over) {
                    return Optional.of(true);
                }
                Call call = session.key().call(number, firstOutstanding(), Fingerprint.of("pay " + number));
                deliverAgainPerhaps(call, numbered);
                answered[0] = service.ask(call, numbered)
                        .map(outcome -> isFinal(numbered, outcome))
                        .orElse(false);
                return answered[0] ? Optional.of(true) : Optional.empty();
            });
            outstanding.remove(number);
        }

        /** What the network has kept for a while arrives after its answer, its session or its sender are gone. */
        private void deliverAgainPerhaps(Call call, Numbered numbered) {
            if (!world.faults().areOver() && chance.of(0.3)) {
                Duration delay = chance.partOf(session.lease(), 0, 1.5);
                world.after(delay, () -> {
                    Task unused = world.spawn(
                            "late " + numbered,
                            () -> service.ask(call, numbered).ifPresent(outcome -> judge(numbered, outcome)));
                });
            }
        }

        private boolean isFinal(Numbered numbered, Outcome<String> outcome) {
            judge(numbered, outcome);
            if (outcome instanceof Outcome.Refused<String> refused) {
                over |= refused.reason() == Reason.SESSION_EXPIRED || refused.reason() == Reason.SESSION_UNKNOWN;
                check(refused.reason() != Reason.STALE, SessionInvariant.NOT_FORGOTTEN, numbered, refused);
                check(refused.reason() != Reason.WINDOW_FULL, SessionInvariant.WITHIN_WINDOW, numbered, refused);
                return refused.reason() != Reason.OUT_OF_ORDER;
            }
            return outcome instanceof Outcome.Done;
        }

        private void judge(Numbered numbered, Outcome<String> outcome) {
            world.tell(numbered + ": " + outcome);
            world.tally()
                    .count("outcome "
                            + (outcome instanceof Outcome.Refused<String> refused
                                    ? refused.reason()
                                    : outcome.getClass().getSimpleName()));
            if (outcome instanceof Outcome.Done<String> done) {
                boolean same = numbered.answer == null || numbered.answer.equals(done.value());
                check(same, SessionInvariant.SAME_ANSWER, numbered, numbered.answer + " and " + done.value());
                check(numbered.effects.contains(done.value()), SessionInvariant.SAME_ANSWER, numbered, done);
                numbered.answer = done.value();
            }
        }
    }

    private void insist(String what, java.util.function.Supplier<Optional<?>> question) {
        long start = world.now();
        while (question.get().isEmpty()) {
            world.sleep(chance.partOf(lease, 0, 0.5));
            boolean patient = !world.faults().areOver() || world.now() - start < lease.toNanos() * PATIENCE;
            check(patient, SessionInvariant.UNSTUCK, what, "no answer for good");
        }
    }

    private void check(boolean holds, SessionInvariant invariant, Object who, Object story) {
        if (!holds) {
            world.violated(invariant, who + ": " + story);
        }
    }
}
