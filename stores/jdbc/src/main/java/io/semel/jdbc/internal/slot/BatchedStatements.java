// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.StoreException;
import io.semel.jdbc.internal.sql.Connections;
import io.semel.jdbc.internal.sql.SqlDialect;
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
 * Batches concurrent requests into one statement and one commit. A claim begins with the statement that sufficed for the
 * last one, an insert or a lookup, so that both fresh calls and retries mostly need one round trip.
 */
public final class BatchedStatements implements StatementRunner {

    public static final int MOST = 128;

    /** More than one batch at a time would only mean more commits for the same work. */
    private static final int WRITES = 1;

    /** One batch is read while the answers of another are handed out. */
    private static final int READS = 2;

    /** A larger result is written alone, so that no other request waits for its bytes. */
    public static final int MOST_BYTES = 1 << 14;

    /** How often a claim is retried that finds no row and cannot insert one, because a joined call has locked the key. */
    private static final int MOST_TRIES = 5;

    private static final long PAUSE_NANOS = 2_000_000;

    private final Connections connections;
    private final SettleStatements settles = new SettleStatements(SqlDialect.POSTGRESQL);
    private final Combiner<Object, Optional<SlotRow>> looking = new Combiner<>(READS, MOST, id -> id, this::lookAll);
    private final Combiner<Object, TimedRow> lookingWithTime =
            new Combiner<>(READS, MOST, id -> id, this::lookAllWithTime);
    private final Combiner<ClaimParameters, Optional<Claim>> inserting =
            new Combiner<>(WRITES, MOST, ClaimParameters::id, this::insertAll);
    private final Combiner<SettleParameters, Boolean> settling =
            new Combiner<>(WRITES, MOST, SettleParameters::id, this::settleAll);

    /** Whether the last lookup of a claim found a row. */
    private volatile boolean expectsRetries;

    public BatchedStatements(Connections connections) {
        this.connections = connections;
    }

    @Override
    public Claim claim(ClaimParameters claiming) {
        Optional<Claim> grant = expectsRetries ? Optional.empty() : insert(claiming);
        int absent = 0;
        while (grant.isEmpty() && absent < MOST_TRIES) {
            SlotRow seen = looking.ask(claiming.id()).orElse(null);
            expectsRetries = seen != null;
            if (seen != null && !isTakeable(seen, claiming)) {
                return seen.known();
            }
            absent += seen == null ? 1 : 0;
            if (absent > 1) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            // If another claim was faster, nothing is granted; it is committed, so the next lookup shows it.
            grant = seen == null ? insert(claiming) : takeOver(claiming);
        }
        return grant.orElseGet(claiming::inUse);
    }

    /** Alone after a contended batch, because another key of the batch may have been the contended one. */
    private Optional<Claim> insert(ClaimParameters claiming) {
        try {
            return inserting.ask(claiming);
        } catch (StoreException e) {
            if (!SqlDialect.POSTGRESQL.isContention(e)) {
                throw e;
            }
            return insertAll(List.of(claiming)).get(0);
        }
    }

    /** A batch waits for no lock; a single settlement waits for a while. */
    @Override
    public boolean settle(SettleParameters settle) {
        boolean small = settle.settlement() instanceof Settlement.Complete done && done.result().length <= MOST_BYTES;
        if (small) {
            try {
                return settling.ask(settle);
            } catch (StoreException e) {
                if (!SqlDialect.POSTGRESQL.isContention(e)) {
                    throw e;
                }
            }
        }
        return settleAll(List.of(settle)).get(0);
    }

    @Override
    public Optional<SlotRow> look(Object id) {
        return looking.ask(id);
    }

    /** The slot's row, if there is one, and the server's time. */
    public TimedRow lookWithTime(Object id) {
        return lookingWithTime.ask(id);
    }

    @Override
    public List<Claim> claimAll(List<ClaimParameters> claimings) {
        Map<Object, Claim> claims = new HashMap<>();
        List<ClaimParameters> open = claimings;
        for (int tries = 0; !open.isEmpty() && tries < MOST_TRIES; tries++) {
            if (tries > 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            List<Optional<Claim>> grants = insertAll(open);
            List<Optional<SlotRow>> seen =
                    lookAll(open.stream().map(ClaimParameters::id).toList());
            for (int i = 0; i < open.size(); i++) {
                SlotRow row = seen.get(i).orElse(null);
                ClaimParameters each = open.get(i);
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

    /** Settlements that do not fit one statement are made one by one; in one transaction they could deadlock. */
    @Override
    public List<Boolean> settleAll(List<SettleParameters> all) {
        if (all.size() > 1 && all.stream().allMatch(each -> each.settlement() instanceof Settlement.Complete)) {
            try {
                return settling(all, connection -> SettleStatements.completeAll(connection, all));
            } catch (StoreException e) {
                if (!SqlDialect.POSTGRESQL.isContention(e)) {
                    throw e;
                }
                return settleEach(all);
            }
        }
        if (all.size() > 1 && all.stream().allMatch(each -> each.settlement() instanceof Settlement.Renew)) {
            return renewAll(all);
        }
        return settleEach(all);
    }

    private List<Boolean> settleEach(List<SettleParameters> all) {
        return StatementRunner.settleEach(
                all,
                SqlDialect.POSTGRESQL,
                each -> each.settlement() instanceof Settlement.Renew
                        ? renewAll(List.of(each)).get(0)
                        : settling(List.of(each), connection -> settles.settle(connection, each)));
    }

    /** Locked rows are retried for a moment after the others are renewed; after that their outcome is unknown. */
    private List<Boolean> renewAll(List<SettleParameters> all) {
        Set<Object> renewed = new HashSet<>();
        List<SettleParameters> open = all;
        long start = System.nanoTime();
        // On a busy machine a single try may take all of the time; the locks of other renewals are gone by the next.
        for (int tries = 0;
                !open.isEmpty() && (tries < MOST_TRIES || System.nanoTime() - start <= MOST_NANOS);
                tries++) {
            if (tries > 0) {
                LockSupport.parkNanos(StatementRunner.PAUSE_NANOS);
            }
            List<SettleParameters> asked = open;
            List<Boolean> applied = settling(asked, connection -> SettleStatements.renewAll(connection, asked));
            IntStream.range(0, asked.size())
                    .filter(applied::get)
                    .forEach(i -> renewed.add(asked.get(i).id()));
            open = stillHeld(
                    asked.stream().filter(each -> !renewed.contains(each.id())).toList());
        }
        if (!open.isEmpty()) {
            throw new StoreException(
                    "The lease of "
                            + named(open.stream().map(SettleParameters::key).toList())
                            + " could not be renewed: another transaction has locked its row.",
                    null);
        }
        return all.stream().map(each -> renewed.contains(each.id())).toList();
    }

    /** The slots that still have their holder and fence, so that only a lock can have prevented their renewal. */
    private List<SettleParameters> stillHeld(List<SettleParameters> missed) {
        if (missed.isEmpty()) {
            return missed;
        }
        List<Optional<SlotRow>> rows =
                lookAll(missed.stream().map(SettleParameters::id).toList());
        return IntStream.range(0, missed.size())
                .filter(i -> rows.get(i)
                        .filter(row -> row.isHeldBy(missed.get(i).holder())
                                && row.fence() == missed.get(i).fence())
                        .isPresent())
                .mapToObj(missed::get)
                .toList();
    }

    private <T> T settling(List<SettleParameters> all, Connections.Action<T> action) {
        return connections.autocommitting(
                () -> "settle " + named(all.stream().map(SettleParameters::key).toList()), action);
    }

    private List<Optional<SlotRow>> lookAll(List<Object> ids) {
        return connections.autocommitting(
                () -> "look up " + ids.size() + " slots", connection -> PostgresClaims.look(connection, ids));
    }

    private List<TimedRow> lookAllWithTime(List<Object> ids) {
        return connections.autocommitting(
                () -> "look up " + ids.size() + " slots", connection -> PostgresClaims.lookWithTime(connection, ids));
    }

    private List<Optional<Claim>> insertAll(List<ClaimParameters> claimings) {
        return connections.autocommitting(
                () -> "claim "
                        + named(claimings.stream()
                                .map(each -> each.call().key())
                                .toList()),
                connection -> PostgresClaims.insert(connection, claimings));
    }

    private Optional<Claim> takeOver(ClaimParameters claiming) {
        return connections.autocommitting(
                () -> "claim " + claiming.call().key(), connection -> PostgresClaims.takeOver(connection, claiming));
    }

    private static boolean isTakeable(SlotRow row, ClaimParameters claiming) {
        return row.isHeldBy(claiming.holder()) || row.isFree() || row.isAbandonedTo(claiming.call());
    }

    private static String named(List<?> keys) {
        int others = keys.size() - 1;
        return others == 0 ? keys.get(0).toString() : keys.get(0) + " and " + others + " more";
    }
}
