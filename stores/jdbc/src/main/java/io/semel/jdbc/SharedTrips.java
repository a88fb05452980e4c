// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.StoreException;
import io.semel.jdbc.Claims.Claiming;
import io.semel.jdbc.PostgresClaims.Seen;
import io.semel.jdbc.Settles.Settle;
import io.semel.store.Claim;
import io.semel.store.Combiner;
import io.semel.store.Settlement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Questions that are asked at the same time go together, in one statement and one commit. A claim begins with what sufficed
 * for the last one, an insert or a look, so that both fresh calls and retries mostly make one trip.
 */
final class SharedTrips implements Trips {

    static final int MOST = 128;

    /** More than one at a time would only mean more commits for the same work. */
    private static final int WRITES = 1;

    /** One is read while the answers of another are handed out. */
    private static final int READS = 2;

    /** A larger result goes alone, so that nobody waits for its bytes. */
    static final int MOST_BYTES = 1 << 14;

    /** How often a claim asks again that finds nothing and may not insert it, because a joined call is at it. */
    private static final int MOST_TRIES = 5;

    private static final long PAUSE_NANOS = 2_000_000;

    private final Connections connections;
    private final Settles settles = new Settles(Dialect.POSTGRESQL);
    private final Combiner<Object, Optional<Row>> looking = new Combiner<>(READS, MOST, id -> id, this::lookAll);
    private final Combiner<Object, Seen> foreseeing = new Combiner<>(READS, MOST, id -> id, this::foreseeAll);
    private final Combiner<Claiming, Optional<Claim>> inserting =
            new Combiner<>(WRITES, MOST, Claiming::id, this::insertAll);
    private final Combiner<Settle, Boolean> settling = new Combiner<>(WRITES, MOST, Settle::id, this::settleAll);

    /** Whether the last claim that looked found something. */
    private volatile boolean expectsRetries;

    SharedTrips(Connections connections) {
        this.connections = connections;
    }

    @Override
    public Claim claim(Claiming claiming) {
        Optional<Claim> grant = expectsRetries ? Optional.empty() : insert(claiming);
        int absent = 0;
        while (grant.isEmpty() && absent < MOST_TRIES) {
            Row seen = looking.ask(claiming.id()).orElse(null);
            expectsRetries = seen != null;
            if (seen != null && !isTakeable(seen, claiming)) {
                return seen.known();
            }
            absent += seen == null ? 1 : 0;
            if (absent > 1) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            // Where somebody else is faster, nothing is granted; their claim is committed, so the next look shows it.
            grant = seen == null ? insert(claiming) : takeOver(claiming);
        }
        return grant.orElseGet(claiming::inUse);
    }

    /** Alone where it met others on the way: what blocked may be about another key. */
    private Optional<Claim> insert(Claiming claiming) {
        try {
            return inserting.ask(claiming);
        } catch (StoreException e) {
            if (!Dialect.POSTGRESQL.isContention(e)) {
                throw e;
            }
            return insertAll(List.of(claiming)).get(0);
        }
    }

    /** Together with others waits for nobody; alone, a while. */
    @Override
    public boolean settle(Settle settle) {
        boolean small = settle.settlement() instanceof Settlement.Complete done && done.result().length <= MOST_BYTES;
        if (small) {
            try {
                return settling.ask(settle);
            } catch (StoreException e) {
                if (!Dialect.POSTGRESQL.isContention(e)) {
                    throw e;
                }
            }
        }
        return settleAll(List.of(settle)).get(0);
    }

    @Override
    public Optional<Row> look(Object id) {
        return looking.ask(id);
    }

    /** What a claim would be told, without making it. */
    Joining.Found foresee(Claiming claiming) {
        Seen seen = foreseeing.ask(claiming.id());
        Row row = seen.row();
        return row == null ? Joining.Found.nothing(seen.now()) : Joining.Found.of(row, claiming.call());
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        Map<Object, Claim> claims = new HashMap<>();
        List<Claiming> open = claimings;
        for (int tries = 0; !open.isEmpty() && tries < MOST_TRIES; tries++) {
            if (tries > 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            List<Optional<Claim>> grants = insertAll(open);
            List<Optional<Row>> seen = lookAll(open.stream().map(Claiming::id).toList());
            for (int i = 0; i < open.size(); i++) {
                Row row = seen.get(i).orElse(null);
                Claiming each = open.get(i);
                Optional<Claim> claim = grants.get(i);
                if (claim.isEmpty() && row != null) {
                    claim = isTakeable(row, each) ? takeOver(each) : Optional.of(row.known());
                }
                claim.ifPresent(told -> claims.put(each.id(), told));
            }
            open = open.stream().filter(each -> !claims.containsKey(each.id())).toList();
        }
        return claimings.stream()
                .map(each -> claims.getOrDefault(each.id(), each.inUse()))
                .toList();
    }

    /** What cannot be said in one statement is said in many, each for itself: together they could wait for each other. */
    @Override
    public List<Boolean> settleAll(List<Settle> all) {
        if (all.size() > 1 && all.stream().allMatch(each -> each.settlement() instanceof Settlement.Complete)) {
            try {
                return settling(all, connection -> Settles.completeAll(connection, all));
            } catch (StoreException e) {
                if (!Dialect.POSTGRESQL.isContention(e)) {
                    throw e;
                }
                return each(all);
            }
        }
        if (all.size() > 1 && all.stream().allMatch(each -> each.settlement() instanceof Settlement.Renew)) {
            return renewAll(all);
        }
        return each(all);
    }

    private List<Boolean> each(List<Settle> all) {
        return Trips.each(
                all,
                Dialect.POSTGRESQL,
                each -> each.settlement() instanceof Settlement.Renew
                        ? renewAll(List.of(each)).get(0)
                        : settling(List.of(each), connection -> settles.settle(connection, each)));
    }

    /** What is locked is tried again for a moment, when all others are renewed; then nobody can say what becomes of it. */
    private List<Boolean> renewAll(List<Settle> all) {
        Set<Object> renewed = new HashSet<>();
        List<Settle> open = all;
        long start = System.nanoTime();
        // On a busy machine a single try may take all the time that there is; locks of other renewals are gone by the
        // next.
        for (int tries = 0;
                !open.isEmpty() && (tries < MOST_TRIES || System.nanoTime() - start <= MOST_NANOS);
                tries++) {
            if (tries > 0) {
                LockSupport.parkNanos(Trips.PAUSE_NANOS);
            }
            List<Settle> asked = open;
            List<Boolean> applied = settling(asked, connection -> Settles.renewAll(connection, asked));
            IntStream.range(0, asked.size())
                    .filter(applied::get)
                    .forEach(i -> renewed.add(asked.get(i).id()));
            open = stillHeld(
                    asked.stream().filter(each -> !renewed.contains(each.id())).toList());
        }
        if (!open.isEmpty()) {
            throw new StoreException(
                    "The lease of " + named(open.stream().map(Settle::key).toList())
                            + " could not be renewed: another transaction has locked its row.",
                    null);
        }
        return all.stream().map(each -> renewed.contains(each.id())).toList();
    }

    /** Those that are as their holders believe, so that only a lock can have kept them from being renewed. */
    private List<Settle> stillHeld(List<Settle> missed) {
        if (missed.isEmpty()) {
            return missed;
        }
        List<Optional<Row>> rows = lookAll(missed.stream().map(Settle::id).toList());
        return IntStream.range(0, missed.size())
                .filter(i -> rows.get(i)
                        .filter(row -> row.isHeldBy(missed.get(i).holder())
                                && row.fence() == missed.get(i).fence())
                        .isPresent())
                .mapToObj(missed::get)
                .toList();
    }

    private <T> T settling(List<Settle> all, Connections.Action<T> action) {
        return connections.autocommitting(
                () -> "settle " + named(all.stream().map(Settle::key).toList()), action);
    }

    private List<Optional<Row>> lookAll(List<Object> ids) {
        return connections.autocommitting(
                () -> "look at " + ids.size() + " slots", connection -> PostgresClaims.look(connection, ids));
    }

    private List<Seen> foreseeAll(List<Object> ids) {
        return connections.autocommitting(
                () -> "look at " + ids.size() + " slots", connection -> PostgresClaims.lookWithTime(connection, ids));
    }

    private List<Optional<Claim>> insertAll(List<Claiming> claimings) {
        return connections.autocommitting(
                () -> "claim "
                        + named(claimings.stream()
                                .map(each -> each.call().key())
                                .toList()),
                connection -> PostgresClaims.insert(connection, claimings));
    }

    private Optional<Claim> takeOver(Claiming claiming) {
        return connections.autocommitting(
                () -> "claim " + claiming.call().key(), connection -> PostgresClaims.takeOver(connection, claiming));
    }

    private static boolean isTakeable(Row row, Claiming claiming) {
        return row.isHeldBy(claiming.holder()) || row.isFree() || row.isAbandonedTo(claiming.call());
    }

    private static String named(List<?> keys) {
        int others = keys.size() - 1;
        return others == 0 ? keys.get(0).toString() : keys.get(0) + " and " + others + " more";
    }
}
