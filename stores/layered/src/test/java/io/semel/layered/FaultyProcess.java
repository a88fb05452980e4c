// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Call;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Operation;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.testkit.ForwardingSlots;
import io.semel.testkit.ForwardingTime;
import io.semel.testkit.ManualTime;
import io.semel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One process of a service that moves from one store to another; once dead, it does nothing any more. */
final class FaultyProcess {

    /** Which store it was deployed with. */
    enum Release {
        OLD,
        BOTH,
        NEXT
    }

    private final Store store;
    private final Engine engine;
    private boolean dead;

    FaultyProcess(Release release, Store old, Store next, FaultPlan plan, Operation operation, ManualTime time) {
        Store oldView = new View(old, plan);
        Store nextView = new View(next, plan);
        Time ownTime = new OwnTime(time);
        this.store = switch (release) {
            case OLD -> oldView;
            case BOTH -> MigratingStore.of(oldView, nextView, Trial.KEPT.remembrance(), ownTime);
            case NEXT -> nextView;
        };
        this.engine = Engine.on(store, ownTime).with(operation);
    }

    Engine engine() {
        return engine;
    }

    MigratingStore.Moved move() {
        return ((MigratingStore) store).move();
    }

    void checkAlive() {
        if (dead) {
            throw new Died();
        }
    }

    void die() {
        dead = true;
        throw new Died();
    }

    /** An Error, so that nothing handles it. */
    static final class Died extends Error {

        private static final long serialVersionUID = 1L;

        Died() {
            super("The process died.");
        }
    }

    /** A store, as this process sees it. */
    private final class View extends ForwardingSlots {

        private final Store seen;
        private final FaultPlan plan;

        View(Store seen, FaultPlan plan) {
            super(seen);
            this.seen = seen;
            this.plan = plan;
        }

        @Override
        public Instant now() {
            return plan.call(FaultyProcess.this, seen, super::now);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            return plan.call(FaultyProcess.this, seen, () -> super.claim(call, holder, lease));
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return plan.call(FaultyProcess.this, seen, () -> super.settle(key, holder, fence, settlement));
        }

        @Override
        public Optional<Claim> peek(Key key) {
            return plan.call(FaultyProcess.this, seen, () -> super.peek(key));
        }

        @Override
        public Optional<Slot> look(Key key) {
            return plan.call(FaultyProcess.this, seen, () -> super.look(key));
        }

        @Override
        public Page page(io.semel.store.Inspectable.View view, @Nullable String cursor, int limit) {
            return plan.call(FaultyProcess.this, seen, () -> super.page(view, cursor, limit));
        }

        @Override
        public boolean amend(Key key, byte[] result, Settlement verdict) {
            return plan.call(FaultyProcess.this, seen, () -> super.amend(key, result, verdict));
        }
    }

    /** What a dead process had scheduled never runs. */
    private final class OwnTime extends ForwardingTime {

        OwnTime(ManualTime time) {
            super(time);
        }

        @Override
        public void schedule(Duration delay, Runnable task) {
            super.schedule(delay, () -> {
                if (!dead) {
                    task.run();
                }
            });
        }

        @Override
        public Runnable execute(Runnable task) {
            schedule(Duration.ZERO, task);
            return () -> {};
        }
    }
}
