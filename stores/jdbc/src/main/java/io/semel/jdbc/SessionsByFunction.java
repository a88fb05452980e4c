// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Level;
import io.semel.Outcome.Reason;
import io.semel.jdbc.PostgresRequests.Claiming;
import io.semel.jdbc.PostgresRequests.Numbered;
import io.semel.jdbc.PostgresRequests.Settling;
import io.semel.jdbc.Statement.Column;
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
 * Lets functions in the database decide, in one round trip; what is asked at the same time goes together. What is usual is tried
 * first, for all at once; the rest is judged one by one. What somebody else has is passed over, so that one session does not keep
 * the others waiting.
 */
final class SessionsByFunction implements SessionTrips {

    private static final Statement CLAIM = new Statement(Dialect.POSTGRESQL, """
            SELECT q.place, a.*
            FROM (SELECT * FROM unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::uuid[], ?::bytea[], ?::bigint[])
                           WITH ORDINALITY AS q (session, number, first, print, holder, lease, place)
                  ORDER BY session, place) q,
                 LATERAL semel_claim_request_2(q.session, q.number, q.first, q.print, q.holder, q.lease) a
            """);

    private static final String JOIN = "SELECT * FROM semel_join_request_2(?, ?, ?, ?, ?, ?, %s)";
    private static final Statement TRY_TO_JOIN = new Statement(Dialect.POSTGRESQL, JOIN.formatted("NULL"));
    private static final Statement AWAIT_AND_JOIN =
            new Statement(Dialect.POSTGRESQL, JOIN.formatted("'" + LockWait.MOST_SECONDS + "s'"));

    private static final Statement SETTLE =
            new Statement(Dialect.POSTGRESQL, "SELECT semel_settle_request_2(?, ?, ?, ?, NULLIF(?, -1), ?) AS applied");

    private final Access access;
    private final SessionRows rows;
    private final Combiner<Claiming, Optional<Claim>> claims =
            new Combiner<>(1, SharedTrips.MOST, Claiming::numbered, this::claimTogether);
    private final Combiner<Settling, Boolean> settles =
            new Combiner<>(1, SharedTrips.MOST, Settling::numbered, this::settleTogether);

    /** A claim begins as the last one ended. */
    private volatile boolean mostlyNew = true;

    SessionsByFunction(Access access, SessionRows rows) {
        this.access = access;
        this.rows = rows;
    }

    @Override
    public Optional<Claim> claim(RequestKey asked, Call call, String holder, Duration lease) {
        Claiming claiming = Claiming.of(rows, asked, call, holder, lease);
        return access.level() == Level.JOINED ? join(TRY_TO_JOIN, claiming) : claims.ask(claiming);
    }

    @Override
    public Optional<Claim> await(RequestKey asked, Call call, String holder, Duration lease) {
        return join(AWAIT_AND_JOIN, Claiming.of(rows, asked, call, holder, lease));
    }

    private Optional<Claim> join(Statement statement, Claiming claiming) {
        return access.saying(
                () -> "claim " + claiming.call().key(),
                connection -> statement
                        .query(
                                connection,
                                SessionsByFunction::told,
                                claiming.session(),
                                claiming.number(),
                                claiming.call().firstOutstanding(),
                                claiming.print(),
                                Claims.Claiming.token(claiming.holder()),
                                Row.micros(claiming.lease()))
                        .get(0));
    }

    @Override
    public List<Optional<Claim>> claimAll(List<Store.Claiming> claimings) {
        List<Claiming> all = claimings.stream()
                .map(each ->
                        Claiming.of(rows, RequestKey.of(each.call().key()), each.call(), each.holder(), each.lease()))
                .toList();
        return access.level() == Level.JOINED
                ? all.stream().map(each -> join(TRY_TO_JOIN, each)).toList()
                : Batches.distinct(all, Claiming::numbered, SharedTrips.MOST, this::claimTogether);
    }

    @Override
    public boolean settle(RequestKey asked, String holder, long fence, Settlement settlement) {
        Settling settling = new Settling(rows.id(asked.session()), asked.number(), holder, fence, settlement);
        byte[] result = settling.result();
        boolean alone = access.level() == Level.JOINED || (result != null && result.length > SharedTrips.MOST_BYTES);
        return (!alone && settles.ask(settling)) || judge(settling);
    }

    @Override
    public List<Boolean> settleAll(List<Store.Settling> settlings) {
        List<Settling> all = settlings.stream().map(this::settling).toList();
        List<Boolean> applied = access.level() == Level.JOINED
                ? Collections.nCopies(all.size(), false)
                : Batches.distinct(all, Settling::numbered, SharedTrips.MOST, this::settleTogether);
        return IntStream.range(0, all.size())
                .mapToObj(i -> applied.get(i) || judge(all.get(i)))
                .toList();
    }

    private Settling settling(Store.Settling said) {
        RequestKey asked = RequestKey.of(said.key());
        return new Settling(rows.id(asked.session()), asked.number(), said.holder(), said.fence(), said.settlement());
    }

    private List<Optional<Claim>> claimTogether(List<Claiming> all) {
        List<Optional<Claim>> grants = mostlyNew
                ? access.saying(
                        () -> "claim " + all.size() + " requests of sessions",
                        connection -> PostgresRequests.begin(connection, all))
                : Collections.nCopies(all.size(), Optional.empty());
        Iterator<Optional<Claim>> judged = judge(IntStream.range(0, all.size())
                        .filter(i -> grants.get(i).isEmpty())
                        .mapToObj(all::get)
                        .toList())
                .iterator();
        List<Optional<Claim>> claims = grants.stream()
                .map(each -> each.isPresent() ? each : judged.next())
                .toList();
        mostlyNew = claims.stream()
                                .filter(each -> each.isPresent() && each.get() instanceof Claim.Granted)
                                .count()
                        * 2
                > all.size();
        return claims;
    }

    private List<Optional<Claim>> judge(List<Claiming> all) {
        if (all.isEmpty()) {
            return List.of();
        }
        List<Optional<Claim>> claims = new ArrayList<>(Collections.nCopies(all.size(), Optional.empty()));
        access.saying(
                () -> "claim " + all.size() + " requests of sessions",
                connection -> CLAIM.query(
                        connection,
                        row -> claims.set(row.getInt("place") - 1, told(row)),
                        Column.of("uuid", all, Claiming::session),
                        Column.of("bigint", all, Claiming::number),
                        Column.of("bigint", all, each -> each.call().firstOutstanding()),
                        Column.of("uuid", all, Claiming::print),
                        Column.of("bytea", all, each -> Claims.Claiming.token(each.holder())),
                        Column.of("bigint", all, each -> Row.micros(each.lease()))));
        return claims;
    }

    /** Whether each applied for certain; of the others nothing is known yet. */
    private List<Boolean> settleTogether(List<Settling> all) {
        Set<Numbered> applied = access.saying(
                () -> "settle " + all.size() + " requests of sessions",
                connection -> PostgresRequests.settle(connection, all));
        return all.stream().map(each -> applied.contains(each.numbered())).toList();
    }

    private boolean judge(Settling settling) {
        @Nullable Long lease = settling.lease();
        return access.saying(
                () -> "settle request " + settling.number() + " of a session",
                connection -> SETTLE.query(
                                connection,
                                row -> row.getBoolean("applied"),
                                settling.session(),
                                settling.number(),
                                Claims.Claiming.token(settling.holder()),
                                settling.fence(),
                                lease == null ? -1L : lease,
                                settling.result())
                        .get(0));
    }

    /** Empty where somebody else has the session. */
    private static Optional<Claim> told(ResultSet row) throws SQLException {
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
        return Fingerprint.ofDigest(Row.binary16(row, "o_print"));
    }

    private static Duration remaining(ResultSet row) throws SQLException {
        return Duration.of(row.getLong("o_remaining"), ChronoUnit.MICROS);
    }
}
