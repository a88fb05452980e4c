// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Level;
import io.semel.Outcome.Reason;
import io.semel.jdbc.internal.session.PostgresRequests.Numbered;
import io.semel.jdbc.internal.session.PostgresRequests.RequestClaim;
import io.semel.jdbc.internal.session.PostgresRequests.RequestSettlement;
import io.semel.jdbc.internal.slot.BatchedStatements;
import io.semel.jdbc.internal.sql.BatchSplitter;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlStatement.ArrayParameter;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.jdbc.internal.sql.TransactionMode;
import io.semel.session.RequestKey;
import io.semel.store.Claim;
import io.semel.store.Combiner;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lets database functions decide in one round trip, and batches concurrent requests. The common case is tried for the
 * whole batch first; the remaining requests are decided one by one. Locked sessions are skipped, so that one session
 * does not delay the others.
 */
public final class RequestsByFunction implements SessionRequests {

    private static final SqlStatement CLAIM = new SqlStatement(SqlDialect.POSTGRESQL, """
            SELECT q.place, a.*
            FROM (SELECT * FROM unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::uuid[], ?::bytea[], ?::bigint[])
                           WITH ORDINALITY AS q (session, number, first, print, holder, lease, place)
                  ORDER BY session, place) q,
                 LATERAL semel_claim_request_2(q.session, q.number, q.first, q.print, q.holder, q.lease) a
            """);

    private static final String JOIN = "SELECT * FROM semel_join_request_2(?, ?, ?, ?, ?, ?, %s)";
    private static final SqlStatement TRY_TO_JOIN = new SqlStatement(SqlDialect.POSTGRESQL, JOIN.formatted("NULL"));
    private static final SqlStatement AWAIT_AND_JOIN =
            new SqlStatement(SqlDialect.POSTGRESQL, JOIN.formatted("'" + LockWait.MOST_SECONDS + "s'"));

    private static final SqlStatement SETTLE = new SqlStatement(
            SqlDialect.POSTGRESQL, "SELECT semel_settle_request_2(?, ?, ?, ?, NULLIF(?, -1), ?) AS applied");

    private final TransactionMode mode;
    private final SessionRows rows;
    private final Combiner<RequestClaim, Optional<Claim>> claims =
            new Combiner<>(1, BatchedStatements.MOST, RequestClaim::numbered, this::claimBatch);
    private final Combiner<RequestSettlement, Boolean> settles =
            new Combiner<>(1, BatchedStatements.MOST, RequestSettlement::numbered, this::settleBatch);

    /** Whether the last claims were mostly granted; a claim begins with the statement that fits. */
    private volatile boolean mostlyNew = true;

    public RequestsByFunction(TransactionMode mode, SessionRows rows) {
        this.mode = mode;
        this.rows = rows;
    }

    @Override
    public Optional<Claim> claim(RequestKey asked, Call call, String holder, Duration lease) {
        RequestClaim claiming = RequestClaim.of(rows, asked, call, holder, lease);
        return mode.level() == Level.JOINED ? join(TRY_TO_JOIN, claiming) : claims.ask(claiming);
    }

    @Override
    public Optional<Claim> await(RequestKey asked, Call call, String holder, Duration lease) {
        return join(AWAIT_AND_JOIN, RequestClaim.of(rows, asked, call, holder, lease));
    }

    private Optional<Claim> join(SqlStatement statement, RequestClaim claiming) {
        return mode.inStatement(
                () -> "claim " + claiming.call().key(),
                connection -> statement
                        .query(
                                connection,
                                RequestsByFunction::answer,
                                claiming.session(),
                                claiming.number(),
                                claiming.call().firstOutstanding(),
                                claiming.print(),
                                SqlValues.holder(claiming.holder()),
                                SqlValues.micros(claiming.lease()))
                        .get(0));
    }

    @Override
    public List<Optional<Claim>> claimAll(List<Store.Claiming> claimings) {
        List<RequestClaim> all = claimings.stream()
                .map(each -> RequestClaim.of(
                        rows, RequestKey.of(each.call().key()), each.call(), each.holder(), each.lease()))
                .toList();
        return mode.level() == Level.JOINED
                ? all.stream().map(each -> join(TRY_TO_JOIN, each)).toList()
                : BatchSplitter.distinct(all, RequestClaim::numbered, BatchedStatements.MOST, this::claimBatch);
    }

    @Override
    public boolean settle(RequestKey asked, String holder, long fence, Settlement settlement) {
        RequestSettlement settling =
                new RequestSettlement(rows.id(asked.session()), asked.number(), holder, fence, settlement);
        byte[] result = settling.result();
        boolean alone =
                mode.level() == Level.JOINED || (result != null && result.length > BatchedStatements.MOST_BYTES);
        return (!alone && settles.ask(settling)) || decide(settling);
    }

    @Override
    public List<Boolean> settleAll(List<Store.Settling> settlings) {
        List<RequestSettlement> all = settlings.stream().map(this::settling).toList();
        List<Boolean> applied = mode.level() == Level.JOINED
                ? Collections.nCopies(all.size(), false)
                : BatchSplitter.distinct(all, RequestSettlement::numbered, BatchedStatements.MOST, this::settleBatch);
        return IntStream.range(0, all.size())
                .mapToObj(i -> applied.get(i) || decide(all.get(i)))
                .toList();
    }

    private RequestSettlement settling(Store.Settling said) {
        RequestKey asked = RequestKey.of(said.key());
        return new RequestSettlement(
                rows.id(asked.session()), asked.number(), said.holder(), said.fence(), said.settlement());
    }

    private List<Optional<Claim>> claimBatch(List<RequestClaim> all) {
        List<Optional<Claim>> grants = mostlyNew
                ? mode.inStatement(
                        () -> "claim " + all.size() + " requests of sessions",
                        connection -> PostgresRequests.begin(connection, all))
                : Collections.nCopies(all.size(), Optional.empty());
        Iterator<Optional<Claim>> decided = decide(IntStream.range(0, all.size())
                        .filter(i -> grants.get(i).isEmpty())
                        .mapToObj(all::get)
                        .toList())
                .iterator();
        List<Optional<Claim>> claims = grants.stream()
                .map(each -> each.isPresent() ? each : decided.next())
                .toList();
        mostlyNew = claims.stream()
                                .filter(each -> each.isPresent() && each.get() instanceof Claim.Granted)
                                .count()
                        * 2
                > all.size();
        return claims;
    }

    private List<Optional<Claim>> decide(List<RequestClaim> all) {
        if (all.isEmpty()) {
            return List.of();
        }
        List<Optional<Claim>> claims = new ArrayList<>(Collections.nCopies(all.size(), Optional.empty()));
        mode.inStatement(
                () -> "claim " + all.size() + " requests of sessions",
                connection -> CLAIM.query(
                        connection,
                        row -> claims.set(row.getInt("place") - 1, answer(row)),
                        ArrayParameter.of("uuid", all, RequestClaim::session),
                        ArrayParameter.of("bigint", all, RequestClaim::number),
                        ArrayParameter.of("bigint", all, each -> each.call().firstOutstanding()),
                        ArrayParameter.of("uuid", all, RequestClaim::print),
                        ArrayParameter.of("bytea", all, each -> SqlValues.holder(each.holder())),
                        ArrayParameter.of("bigint", all, each -> SqlValues.micros(each.lease()))));
        return claims;
    }

    /** Whether each settlement has certainly applied; the others are still undecided. */
    private List<Boolean> settleBatch(List<RequestSettlement> all) {
        Set<Numbered> applied = mode.inStatement(
                () -> "settle " + all.size() + " requests of sessions",
                connection -> PostgresRequests.settle(connection, all));
        return all.stream().map(each -> applied.contains(each.numbered())).toList();
    }

    private boolean decide(RequestSettlement settling) {
        @Nullable Long lease = settling.lease();
        return mode.inStatement(
                () -> "settle request " + settling.number() + " of a session",
                connection -> SETTLE.query(
                                connection,
                                row -> row.getBoolean("applied"),
                                settling.session(),
                                settling.number(),
                                SqlValues.holder(settling.holder()),
                                settling.fence(),
                                lease == null ? -1L : lease,
                                settling.result())
                        .get(0));
    }

    /** Empty if another transaction has locked the session. */
    private static Optional<Claim> answer(ResultSet row) throws SQLException {
        String told = row.getString("o_told");
        return switch (told) {
            case "LOCKED" -> Optional.empty();
            case "GRANTED" -> Optional.of(new Claim.Granted(row.getLong("o_fence"), row.getInt("o_abandoned") == 1));
            case "HELD" -> Optional.of(new Claim.Held(print(row), remaining(row)));
            case "SETTLED" -> Optional.of(new Claim.Settled(print(row), row.getBytes("o_result"), remaining(row)));
            default -> Optional.of(new Claim.Refused(Reason.valueOf(told)));
        };
    }

    private static Fingerprint print(ResultSet row) throws SQLException {
        return Fingerprint.ofDigest(SqlValues.binary16(row, "o_print"));
    }

    private static Duration remaining(ResultSet row) throws SQLException {
        return Duration.of(row.getLong("o_remaining"), ChronoUnit.MICROS);
    }
}
