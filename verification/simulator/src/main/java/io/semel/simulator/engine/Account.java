// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Call;
import io.semel.Retention;
import io.semel.simulator.StoreClock;
import io.semel.simulator.World;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that the store acknowledged about one key; it only notes, and judges nothing. */
final class Account {

    final Plan plan;
    final List<Life> lives = new ArrayList<>();
    /** Granted, and neither ended by their holders nor lapsed before a later grant. */
    final List<Grant> open = new ArrayList<>();

    private final World world;
    private final StoreClock clock;
    private @Nullable Life life;
    private long highestFence = Long.MIN_VALUE;
    private int grants;

    Account(World world, Plan plan) {
        this.world = world;
        this.clock = world.storeClock();
        this.plan = plan;
    }

    /** The life that lasts, settled or not; null where the key is free. */
    @Nullable
    Life life() {
        return life;
    }

    /** The life whose slot is held, by a good lease or a lapsed one. */
    @Nullable
    Life heldLife() {
        return life == null || life.isSettled() ? null : life;
    }

    /** The grant that may settle. */
    @Nullable
    Grant holder() {
        Life held = heldLife();
        return held == null ? null : held.last();
    }

    long highestFence() {
        return highestFence;
    }

    /** The answer that stands; null if there is none. */
    @Nullable
    Answer answer() {
        return life == null ? null : life.answer();
    }

    boolean isForgotten(Life some) {
        Answer answer = some.answer();
        return answer != null && clock.latestSince(answer.at()) >= answer.forget();
    }

    boolean isPastRetention(Life some) {
        Answer answer = some.answer();
        return answer != null && clock.latestSince(answer.at()) >= answer.until();
    }

    Grant granted(Call call, String holder, Duration lease, Claim.Granted granted) {
        forgetPerhaps();
        Grant again = holder();
        if (again != null && again.holder.equals(holder)) {
            renew(again, lease);
            return again;
        }
        boolean duringLease = open.stream().anyMatch(grant -> grant.leaseEnd > clock.nanos());
        open.removeIf(grant -> grant.leaseEnd <= clock.nanos());
        Life lasting = life != null ? life : begin(call);
        notePast(holder);
        Grant grant = new Grant(
                lasting,
                holder,
                granted.fence(),
                ++grants,
                duringLease,
                lasting.isSettled(),
                granted.fence() > highestFence);
        highestFence = Math.max(highestFence, granted.fence());
        lasting.grants.add(grant);
        open.add(grant);
        renew(grant, lease);
        return grant;
    }

    void settled(@Nullable Grant by, Settlement settlement) {
        Life lasting = life;
        if (settlement instanceof Settlement.Renew renew) {
            if (by != null) {
                renew(by, renew.lease());
            }
            return;
        }
        open.remove(by);
        if (lasting != null && settlement instanceof Settlement.Complete complete) {
            record(lasting, by, complete);
        } else if (lasting != null) {
            lasting.released = true;
            end("life released");
        }
    }

    /** A claim that arrives after its holder is done with the key may be granted; what that holder says late does not apply. */
    private void notePast(String holder) {
        boolean old = lives.stream().flatMap(some -> some.grants.stream()).anyMatch(past -> past.holder.equals(holder));
        if (old) {
            world.tally().count("store grants, to an old holder");
        }
    }

    private void record(Life lasting, @Nullable Grant by, Settlement.Complete complete) {
        Retention retention = complete.retention();
        long until = later(clock.nanos(), retention.retention());
        long forget = later(until, retention.remembrance());
        byte[] frame = complete.result();
        boolean superseded = by != null && by.life == lasting && !by.isLast();
        lasting.answers.add(new Answer(frame, Stored.of(frame), by, superseded, world.now(), until, forget));
    }

    private Life begin(Call call) {
        Life begun = new Life(plan, lives.size() + 1, call.fingerprint(), world.now(), clock.nanos());
        lives.add(begun);
        life = begun;
        return begun;
    }

    private void forgetPerhaps() {
        if (life != null && isForgotten(life)) {
            end("life forgotten");
            highestFence = Long.MIN_VALUE;
        }
    }

    private void end(String how) {
        if (life != null) {
            world.tally().count(how);
            life.endedAt = world.now();
            life = null;
        }
    }

    private void renew(Grant grant, Duration lease) {
        grant.leasedAt = world.now();
        grant.leaseEnd = clock.nanos() + lease.toNanos();
        grant.givenUp = lease.isZero();
    }

    private static long later(long from, Duration span) {
        return from == Long.MAX_VALUE || span.equals(Retention.FOREVER) ? Long.MAX_VALUE : from + span.toNanos();
    }
}
