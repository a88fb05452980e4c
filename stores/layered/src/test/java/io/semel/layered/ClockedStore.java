// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Call;
import io.semel.Key;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.testkit.ForwardingSlots;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A store whose fences are the time of its clock in microseconds, as those of servers are; the clock may be ahead or behind. */
final class ClockedStore extends ForwardingSlots {

    private final ManualTime time;
    private final Duration ahead;
    /** What each fence of the store in memory is here, and the other way round. */
    private final Map<Long, Long> told = new HashMap<>();

    private final Map<Long, Long> meant = new HashMap<>();
    private long last;

    ClockedStore(ManualTime time, Duration ahead) {
        super(new MemoryStore(1 << 20, time));
        this.time = time;
        this.ahead = ahead;
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claim claim = super.claim(call, holder, lease);
        return claim instanceof Claim.Granted granted
                ? new Claim.Granted(fence(call.key(), granted.fence()), granted.abandoned())
                : claim;
    }

    private long fence(Key key, long counted) {
        return told.computeIfAbsent(id(key, counted), unused -> {
            last = Math.max(clock(), last + 1);
            meant.put(id(key, last), counted);
            return last;
        });
    }

    private long clock() {
        return 1_700_000_000_000_000L + time.nanos() / 1_000 + ahead.toNanos() / 1_000;
    }

    private static long id(Key key, long fence) {
        return 31 * fence + key.hashCode();
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return super.settle(key, holder, meant.getOrDefault(id(key, fence), 0L), settlement);
    }

    @Override
    public Optional<Slot> look(Key key) {
        return super.look(key)
                .map(slot -> new Slot(
                        key,
                        slot.fingerprint(),
                        slot.state(),
                        told.getOrDefault(id(key, slot.fence()), 0L),
                        slot.attempts(),
                        slot.holder(),
                        slot.age(),
                        slot.remaining(),
                        slot.result()));
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plus(clock(), ChronoUnit.MICROS);
    }
}
