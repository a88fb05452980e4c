// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.Call;
import io.semel.Outcome.Reason;
import io.semel.StoreException;
import io.semel.jdbc.internal.session.RequestRows.Found;
import io.semel.jdbc.internal.session.SessionRows.Locked;
import io.semel.jdbc.internal.sql.TransactionMode;
import io.semel.session.RequestKey;
import io.semel.session.Ruling;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reads the session under a lock, decides in this process, and writes the changes; a settlement locks only its request.
 */
public record RequestsByRow(TransactionMode mode, SessionRows rows, RequestRows requests, LockWait lockWait)
        implements SessionRequests {

    private static final Duration MOST_WAIT = Duration.ofSeconds(2);

    @Override
    public Optional<Claim> claim(RequestKey asked, Call call, String holder, Duration lease) {
        return mode.inTransaction(
                () -> "claim " + call.key(), connection -> claim(connection, asked, call, holder, lease));
    }

    @Override
    public List<Optional<Claim>> claimAll(List<Store.Claiming> claimings) {
        return claimings.stream()
                .map(each -> claim(RequestKey.of(each.call().key()), each.call(), each.holder(), each.lease()))
                .toList();
    }

    @Override
    public Optional<Claim> await(RequestKey asked, Call call, String holder, Duration lease) {
        return mode.inTransaction(
                () -> "claim " + call.key(),
                connection -> lockWait.isLocked(connection, rows.id(asked.session()))
                        ? claim(connection, asked, call, holder, lease)
                        : Optional.empty());
    }

    private Optional<Claim> claim(Connection connection, RequestKey asked, Call call, String holder, Duration lease)
            throws SQLException {
        Optional<Locked> had = rows.lock(connection, asked.session());
        if (had.isEmpty()) {
            return rows.isKnown(connection, asked.session())
                    ? Optional.empty()
                    : Optional.of(new Claim.Refused(Reason.SESSION_UNKNOWN));
        }
        Locked session = had.get();
        if (!rows.live(connection, session)) {
            return Optional.of(new Claim.Refused(Reason.SESSION_EXPIRED));
        }
        Found request = requests.find(connection, asked);
        Ruling ruling = Ruling.onClaim(session.state(), request.state(), call, holder, lease, session.now());
        if (!requests.apply(connection, asked, request, ruling.request())) {
            request = requests.await(connection, asked);
            ruling = Ruling.onClaim(session.state(), request.state(), call, holder, lease, session.now());
            requests.apply(connection, asked, request, ruling.request());
        }
        rows.become(connection, session, ruling.session());
        return Optional.of(ruling.claim());
    }

    @Override
    public boolean settle(RequestKey asked, String holder, long fence, Settlement settlement) {
        return Backoff.retry(
                        MOST_WAIT,
                        () -> mode.inTransaction(
                                () -> "settle request " + asked.number() + " of a session",
                                connection -> settle(connection, asked, holder, fence, settlement)))
                .orElseThrow(() -> new StoreException(
                        "Request " + asked.number() + " of a session could not be settled, because another transaction"
                                + " has held it for " + MOST_WAIT.toSeconds() + " seconds; try again.",
                        null));
    }

    /** Empty if another transaction has locked the request. */
    private Optional<Boolean> settle(
            Connection connection, RequestKey asked, String holder, long fence, Settlement settlement)
            throws SQLException {
        Optional<Found> had = requests.lock(connection, asked);
        if (had.isEmpty()) {
            return requests.look(connection, asked).isPresent() ? Optional.empty() : Optional.of(false);
        }
        Optional<Locked> session = rows.read(connection, asked.session());
        if (session.isEmpty() || session.get().expired()) {
            return Optional.of(false);
        }
        if (session.get().isOver()) {
            rows.noteEnd(connection, asked.session());
            return Optional.of(false);
        }
        boolean applies = had.get().isHeldBy(holder, fence);
        if (applies) {
            requests.settle(connection, asked, session.get().state(), settlement);
        }
        return Optional.of(applies);
    }

    @Override
    public List<Boolean> settleAll(List<Store.Settling> settlings) {
        return settlings.stream()
                .map(each -> settle(RequestKey.of(each.key()), each.holder(), each.fence(), each.settlement()))
                .toList();
    }
}
