// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Claim;
import io.semel.Combiner;
import io.semel.Settlement;
import io.semel.jdbc.Claims.Claiming;
import io.semel.jdbc.PostgresClaims.Seen;
import io.semel.jdbc.Settles.Settle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Questions that are asked at the same time go together, in one statement and one commit. A claim looks first, so that an
 * answer that is known costs a read and nothing more, and takes what it may have in a second trip.
 */
final class SharedTrips implements Trips {

    static final int MOST = 128;

    /** So that one statement is on its way while another one syncs. */
    private static final int LANES = 2;

    /** A larger result goes alone, so that nobody waits for its bytes. */
    private static final int MOST_BYTES = 1 << 14;

    private final Connections connections;
    private final Settles settles = new Settles(Dialect.POSTGRESQL);
    private final Combiner<Object, Seen> looking = new Combiner<>(LANES, MOST, id -> id, this::lookAll);
    private final Combiner<Claiming, Optional<Claim>> taking = new Combiner<>(LANES, MOST, Claiming::id, this::takeAll);
    private final Combiner<Settle, Boolean> settling = new Combiner<>(LANES, MOST, Settle::id, this::settleAll);

    SharedTrips(Connections connections) {
        this.connections = connections;
    }

    @Override
    public Claim claim(Claiming claiming) {
        while (true) {
            Row seen = looking.ask(claiming.id()).row();
            if (seen != null && !isTakeable(seen, claiming)) {
                return seen.known();
            }
            Optional<Claim> grant = taking.ask(claiming);
            // Nothing: somebody else was faster. Their claim is committed, so the next look shows it.
            if (grant.isPresent()) {
                return grant.get();
            }
        }
    }

    @Override
    public boolean settle(Settle settle) {
        boolean small = settle.settlement() instanceof Settlement.Complete done && done.result().length <= MOST_BYTES;
        return small ? settling.ask(settle) : settleAll(List.of(settle)).get(0);
    }

    @Override
    public Optional<Row> look(Object id) {
        return Optional.ofNullable(looking.ask(id).row());
    }

    /** What a claim would be told, without making it. */
    Joining.Found foresee(Claiming claiming) {
        Seen seen = looking.ask(claiming.id());
        Row row = seen.row();
        return row == null ? Joining.Found.nothing(seen.now()) : Joining.Found.of(row, claiming.call());
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        Map<Object, Claim> claims = new HashMap<>();
        List<Claiming> open = claimings;
        while (!open.isEmpty()) {
            List<Seen> seen = lookAll(open.stream().map(Claiming::id).toList());
            List<Claiming> takeable = new ArrayList<>();
            for (int i = 0; i < seen.size(); i++) {
                Row row = seen.get(i).row();
                if (row == null || isTakeable(row, open.get(i))) {
                    takeable.add(open.get(i));
                } else {
                    claims.put(open.get(i).id(), row.known());
                }
            }
            claims.putAll(takeable.isEmpty() ? Map.of() : take(takeable));
            open = takeable.stream()
                    .filter(each -> !claims.containsKey(each.id()))
                    .toList();
        }
        return claimings.stream().map(each -> claims.get(each.id())).toList();
    }

    /** What cannot be said in one statement is said in many, each for itself: together they could wait for each other. */
    @Override
    public List<Boolean> settleAll(List<Settle> all) {
        if (all.size() > 1 && all.stream().allMatch(each -> each.settlement() instanceof Settlement.Complete)) {
            return settling(all, connection -> Settles.completeAll(connection, all));
        }
        if (all.size() > 1 && all.stream().allMatch(each -> each.settlement() instanceof Settlement.Renew)) {
            return settling(all, connection -> Settles.renewAll(connection, all));
        }
        return all.stream()
                .map(each -> settling(List.of(each), connection -> settles.settle(connection, each)))
                .toList();
    }

    private <T> T settling(List<Settle> all, Connections.Action<T> action) {
        return connections.autocommitting(
                () -> "settle " + named(all.stream().map(Settle::key).toList()), action);
    }

    private List<Seen> lookAll(List<Object> ids) {
        return connections.autocommitting(
                () -> "look at " + ids.size() + " slots", connection -> PostgresClaims.look(connection, ids));
    }

    private List<Optional<Claim>> takeAll(List<Claiming> claimings) {
        Map<Object, Claim> grants = take(claimings);
        return claimings.stream()
                .map(each -> Optional.ofNullable(grants.get(each.id())))
                .toList();
    }

    private Map<Object, Claim> take(List<Claiming> claimings) {
        return connections.autocommitting(
                () -> "claim "
                        + named(claimings.stream()
                                .map(each -> each.call().key())
                                .toList()),
                connection -> PostgresClaims.take(connection, claimings));
    }

    private static boolean isTakeable(Row row, Claiming claiming) {
        return row.isHeldBy(claiming.holder()) || row.isFree() || row.isAbandonedTo(claiming.call());
    }

    private static String named(List<?> keys) {
        int others = keys.size() - 1;
        return others == 0 ? keys.get(0).toString() : keys.get(0) + " and " + others + " more";
    }
}
