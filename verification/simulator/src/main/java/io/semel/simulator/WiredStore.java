// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One node's view of a store that all nodes share, with faults on the way there and back. */
public final class WiredStore implements Store, Inspectable {

    private final World world;
    private final Node node;
    private final Store store;
    private final Inspectable slots;
    private final StoreWatch watch;
    private final Wire wire;

    /** The store must also be {@link Inspectable}, and must not wait. */
    public WiredStore(World world, Node node, Store store, StoreWatch watch) {
        this.world = world;
        this.node = node;
        this.store = store;
        this.slots = (Inspectable) store;
        this.watch = watch;
        this.wire = new Wire(world, node);
    }

    @Override
    public Level level() {
        return store.level();
    }

    /** By the store's clock in this world, because the store itself would start from the machine's. */
    @Override
    public Instant now() {
        return wire.send(() -> world.storeClock().instant());
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claim answer = wire.send(List.of(call.key()), () -> grant(call, holder, lease));
        watch.heard(node, call, holder, answer);
        return answer;
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        List<Key> keys = claimings.stream().map(each -> each.call().key()).toList();
        List<Claim> answers = wire.send(keys, () -> {
            List<Claim> claims = new ArrayList<>();
            for (Claiming each : claimings) {
                if (world.faults().strikes(Fault.PARTIAL)) {
                    throw wire.failure();
                }
                claims.add(grant(each.call(), each.holder(), each.lease()));
            }
            return claims;
        });
        for (int i = 0; i < answers.size(); i++) {
            watch.heard(node, claimings.get(i).call(), claimings.get(i).holder(), answers.get(i));
        }
        return answers;
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return wire.send(List.of(key), () -> apply(key, holder, fence, settlement));
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        List<Key> keys = settlings.stream().map(Settling::key).toList();
        return wire.send(keys, () -> {
            List<Boolean> applied = new ArrayList<>();
            for (Settling each : settlings) {
                if (world.faults().strikes(Fault.PARTIAL)) {
                    throw wire.failure();
                }
                applied.add(apply(each.key(), each.holder(), each.fence(), each.settlement()));
            }
            return applied;
        });
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return wire.send(List.of(key), () -> store.peek(key));
    }

    @Override
    public Optional<Slot> look(Key key) {
        return wire.send(List.of(key), () -> slots.look(key));
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return wire.send(() -> slots.page(view, cursor, limit));
    }

    @Override
    public Counts count() {
        return wire.send(slots::count);
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        return wire.send(List.of(key), () -> {
            boolean applied = slots.amend(key, seen, verdict);
            watch.amended(key, seen, verdict, applied);
            return applied;
        });
    }

    private Claim grant(Call call, String holder, Duration lease) {
        Claim claim = store.claim(call, holder, lease);
        watch.claimed(call, holder, lease, claim);
        return claim;
    }

    private boolean apply(Key key, String holder, long fence, Settlement settlement) {
        boolean applied = store.settle(key, holder, fence, settlement);
        watch.settled(key, holder, fence, settlement, applied);
        return applied;
    }
}
