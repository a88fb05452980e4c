// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Call;
import io.semel.Key;
import io.semel.simulator.Node;
import io.semel.simulator.StoreWatch;
import io.semel.simulator.Task;
import io.semel.simulator.World;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Keeps the accounts of all keys, from what the store is seen to acknowledge, and who is asking for what. */
final class Book implements StoreWatch {

    private final World world;
    private final Rules rules;
    private final StoreLaws laws;
    private final Map<Key, Account> accounts = new HashMap<>();
    private final Map<Task, Asking> askings = new HashMap<>();
    private final Map<String, String> holders = new HashMap<>();

    Book(World world, Rules rules, List<Plan> plans) {
        this.world = world;
        this.rules = rules;
        this.laws = new StoreLaws(world.storeClock(), rules);
        plans.forEach(plan -> accounts.put(plan.key(), new Account(world, plan)));
    }

    @SuppressWarnings("NullAway") // every key has a plan
    Account account(Key key) {
        return accounts.get(key);
    }

    void begin(Asking asking) {
        askings.put(world.me(), asking);
    }

    void end(Asking asking) {
        asking.over = true;
        askings.remove(world.me());
    }

    /** What the task whose turn it is is asking for; null if nothing. */
    @Nullable
    Asking asking() {
        Task task = world.whoseTurn();
        return task == null ? null : askings.get(task);
    }

    @Override
    public void claimed(Call call, String holder, Duration lease, Claim answer) {
        Account account = account(call.key());
        laws.claimed(account, call, holder, answer);
        String granted = "";
        if (answer instanceof Claim.Granted yes) {
            Grant before = account.holder();
            Grant grant = account.granted(call, holder, lease, yes);
            granted = ": " + grant;
            Asking asking = asking();
            grant.claimant = asking == null ? grant.claimant : asking;
            judgeTakeover(before, grant);
            world.tally().count(yes.abandoned() ? "store grants, abandoned" : "store grants");
        }
        world.tell("store: claim " + call.key().id() + " by " + name(holder) + " -> " + shown(answer) + granted);
    }

    /** The heartbeat of a node that nothing keeps from it does not miss a whole lease. */
    private void judgeTakeover(@Nullable Grant before, Grant grant) {
        if (before == null || before == grant || before.asking == null || before.givenUp) {
            return;
        }
        Asking asking = before.asking;
        boolean jumped = world.storeClock().jumpedAt() >= before.leasedAt;
        boolean blocked = world.faults().excusedUntil(grant.life.plan.key()) > before.leasedAt;
        boolean kept = jumped || blocked || asking.isTroubledSince(before.leasedAt) || !asking.isAlive();
        rules.check(kept, Invariant.KEPT_ALIVE, asking.node, "it lost the lease of " + before + " to " + grant);
    }

    @Override
    public void heard(Node node, Call call, String holder, Claim answer) {
        Asking asking = asking();
        if (asking == null) {
            return;
        }
        asking.lastHeard = answer;
        Grant grant = answer instanceof Claim.Granted granted
                ? granted(call.key(), it -> it.holder.equals(holder) && it.fence == granted.fence())
                : null;
        if (grant != null) {
            grant.asking = asking;
            asking.grants.add(grant);
        }
    }

    @Override
    public void settled(Key key, String holder, long fence, Settlement settlement, boolean applied) {
        Account account = account(key);
        laws.settled(account, holder, fence, settlement, applied);
        Grant by = granted(key, it -> it.holder.equals(holder) && it.fence == fence);
        world.tell("store: " + shown(settlement) + " of " + key.id() + " by " + name(holder) + " -> " + applied);
        if (applied) {
            account.settled(by, settlement);
        } else {
            world.tally().count("store refuses " + settlement.getClass().getSimpleName());
        }
    }

    @Override
    public void amended(Key key, byte[] seen, Settlement verdict, boolean applied) {
        world.tell("store: amend " + key.id() + " " + Stored.of(seen) + " -> " + shown(verdict) + ": " + applied);
        if (applied) {
            account(key).settled(null, verdict);
        }
    }

    /** The last such grant of the key; null if there is none. */
    private @Nullable Grant granted(Key key, Predicate<Grant> such) {
        List<Life> lives = account(key).lives;
        for (int i = lives.size() - 1; i >= 0; i--) {
            List<Grant> grants = lives.get(i).grants;
            for (int j = grants.size() - 1; j >= 0; j--) {
                if (such.test(grants.get(j))) {
                    return grants.get(j);
                }
            }
        }
        return null;
    }

    /** Random tokens must not show in a trace. */
    private String name(String holder) {
        return holders.computeIfAbsent(holder, unknown -> "h" + (holders.size() + 1));
    }

    private static String shown(Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            return granted.abandoned() ? "Granted, abandoned" : "Granted";
        }
        if (claim instanceof Claim.Held held) {
            return "Held for " + held.remaining();
        }
        byte[] result = ((Claim.Settled) claim).result();
        return result == null ? "Settled, gone" : "Settled " + Stored.of(result);
    }

    private static String shown(Settlement settlement) {
        return settlement instanceof Settlement.Complete complete
                ? "Complete " + Stored.of(complete.result())
                : settlement.toString();
    }
}
