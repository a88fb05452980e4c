// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Codec;
import io.semel.LeaseLost;
import io.semel.Operation;
import io.semel.Operator;
import io.semel.Outcome;
import io.semel.OutcomeUnknown;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.WhenAbandoned;
import io.semel.layered.FaultyProcess.Died;
import io.semel.layered.FaultyProcess.Release;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Slot;
import io.semel.testkit.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What docs/layers.md tells to do, step by step, with clients and an operator who come back after faults. */
final class MigrationProcedure {

    private static final int MOST_TRIES = 10;

    private final ManualTime time = new ManualTime();
    private final MemoryStore old = new MemoryStore(1 << 20, time);
    private final MemoryStore next = new MemoryStore(1 << 20, time);
    private final FaultPlan plan;
    private final boolean retriesAtOnce;
    private final WhenAbandoned policy;
    private final Operation operation;
    private final List<Client> clients = new ArrayList<>();
    /** Where an answer has to be for it not to be lost. */
    private MemoryStore decides = old;

    MigrationProcedure(WhenAbandoned policy, FaultPlan plan, boolean retriesAtOnce) {
        this.policy = policy;
        this.plan = plan;
        this.retriesAtOnce = retriesAtOnce;
        this.operation = Operation.named("charge").whenAbandoned(policy).lease(Trial.LEASE);
    }

    /** Another process asks for everything that anybody has asked for, and then moves. */
    private void overtake() {
        List.copyOf(clients).stream().filter(client -> client.asked).forEach(Client::overtake);
        process(Release.BOTH).move();
    }

    void run() {
        plan.overtakenBy(this::overtake);
        Client first = new Client();
        Client second = new Client();
        Client third = new Client();
        Client fourth = new Client();
        Client last = new Client();
        Client resolved = unknown();
        Client released = unknown();

        first.ask(Release.OLD);
        second.ask(Release.BOTH);
        third.ask(Release.OLD);
        first.ask(Release.BOTH);

        fourth.ask(Release.BOTH);
        operate(resolved, true);
        operate(released, false);
        move();

        decides = next;
        last.ask(Release.BOTH);
        second.ask(Release.NEXT);
        last.ask(Release.NEXT);
        first.ask(Release.BOTH);

        time.pause(Trial.LEASE.multipliedBy(2));
        clients.forEach(Client::end);
        assertThat(resolved.told).containsOnly("resolved");
        assertThat(resolved.effects).isZero();
        assertThat(released.told).doesNotContain("resolved");
    }

    private FaultyProcess process(Release release) {
        return new FaultyProcess(release, old, next, plan, operation, time);
    }

    private Client unknown() {
        Client client = new Client();
        Trial.complete(old, client.call.key(), Trial.UNKNOWN, Retention.UNENDING);
        return client;
    }

    private void operate(Client client, boolean happened) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                Operator operator = process(Release.BOTH).engine().operator("operator");
                Optional<Slot> seen = operator.look(client.call.key());
                if (seen.isEmpty() || seen.get().state() != Slot.State.UNKNOWN) {
                    return;
                }
                Operator.Result result = happened
                        ? operator.resolve(seen.get(), Codec.utf8(), "resolved")
                        : operator.release(seen.get());
                if (result == Operator.Result.APPLIED) {
                    return;
                }
            } catch (StoreException | Died e) {
                plan.endOutage();
            }
        }
        throw new AssertionError("An operator can never finish what was interrupted.");
    }

    private void move() {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                if (process(Release.BOTH).move().left() == 0) {
                    return;
                }
            } catch (StoreException | Died e) {
                plan.endOutage();
            }
            time.pause(Trial.LEASE);
        }
        throw new AssertionError("The move comes to no end.");
    }

    /** Wants one thing to happen. */
    private final class Client {

        private final Call call = Call.of(Trial.key(), Trial.ASKED);
        private final List<String> told = new ArrayList<>();
        private int effects;
        private boolean asked;
        private boolean interrupted;
        /** Whether the effect took place and no store that decides has heard of it: then the policy has its say. */
        private boolean unheard;

        Client() {
            clients.add(this);
        }

        void ask(Release release) {
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                boolean asked = tryOnce(release);
                if (asked || !retriesAtOnce) {
                    return;
                }
            }
            throw new AssertionError("A client never gets an answer.");
        }

        /** A duplicate at another process, which is told that it is busy, or the answer, or runs if it is the first. */
        private void overtake() {
            Outcome<String> outcome =
                    process(Release.BOTH).engine().run(call, Codec.utf8(), attempt -> "effect " + ++effects);
            if (outcome instanceof Outcome.Done<String> done) {
                told.add(done.value());
            }
        }

        private boolean tryOnce(Release release) {
            asked = true;
            try {
                Outcome<String> outcome =
                        process(release).engine().run(call, Codec.utf8(), attempt -> "effect " + ++effects);
                if (outcome instanceof Outcome.Done<String> done) {
                    told.add(done.value());
                    return true;
                }
                if (outcome instanceof Outcome.Refused<String> refused) {
                    assertThat(refused.reason()).isEqualTo(Outcome.Reason.UNKNOWN);
                    return true;
                }
            } catch (StoreException | OutcomeUnknown | LeaseLost | Died e) {
                interrupted = true;
                unheard |= effects > 0 && !isSettled();
                plan.endOutage();
            }
            time.pause(Trial.LEASE.multipliedBy(2));
            return false;
        }

        private boolean isSettled() {
            return decides.peek(call.key())
                    .filter(Claim.Settled.class::isInstance)
                    .isPresent();
        }

        /** What it is told when only the next store is left. */
        void end() {
            String before = told.isEmpty() ? null : told.get(0);
            told.clear();
            for (int tries = 0; tries < MOST_TRIES && !tryOnce(Release.NEXT); tries++) {}

            boolean runsAgain = policy.equals(WhenAbandoned.rerun()) && unheard;
            assertThat(effects).as("effects").isLessThanOrEqualTo(runsAgain ? 2 : 1);
            if (told.isEmpty()) {
                assertThat(policy).isEqualTo(WhenAbandoned.refuse());
                assertThat(interrupted && (unheard || effects == 0))
                        .as("unknown without reason")
                        .isTrue();
                assertThat(before).as("told before").isNull();
            } else {
                assertThat(told.get(0)).isIn("effect " + effects, "resolved");
                assertThat(before).isIn(null, told.get(0));
            }
        }
    }
}
