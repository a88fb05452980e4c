// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.Call;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlStatement.ArrayParameter;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.session.RequestKey;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The common cases for many requests in one statement: claims of new numbers, renewals and ends. */
final class PostgresRequests {

    private static final SqlStatement BEGIN = new SqlStatement(
            SqlDialect.POSTGRESQL,
            "SELECT o_session, o_number, o_fence FROM semel_begin_requests_2("
                    + "?::uuid[], ?::bigint[], ?::integer[], ?::integer[],"
                    + " ?::bigint[], ?::uuid[], ?::bytea[], ?::bigint[])");

    private static final SqlStatement SETTLE = new SqlStatement(
            SqlDialect.POSTGRESQL,
            "SELECT o_session, o_number FROM semel_settle_requests_2("
                    + "?::uuid[], ?::bigint[], ?::bytea[], ?::bigint[], ?::bigint[], ?::bytea[])");

    /** The grants, in the order of the claims; empty where the full rules must decide. Numbers must not repeat. */
    static List<Optional<Claim>> begin(Connection connection, List<RequestClaim> all) throws SQLException {
        // In the order of the sessions, so that two such statements cannot deadlock.
        Map<Object, List<RequestClaim>> bySession = new TreeMap<>();
        all.forEach(each -> bySession
                .computeIfAbsent(each.session, session -> new ArrayList<>())
                .add(each));
        List<RequestClaim> sorted = new ArrayList<>(all.size());
        List<Asking> sessions = new ArrayList<>(bySession.size());
        bySession.forEach((session, claimings) -> {
            sorted.addAll(claimings);
            sessions.add(Asking.of(session, claimings, sorted.size()));
        });
        Map<Numbered, Claim> grants = new HashMap<>();
        BEGIN.query(
                connection,
                row -> grants.put(
                        new Numbered(row.getObject("o_session"), row.getLong("o_number")),
                        new Claim.Granted(row.getLong("o_fence"), false)),
                ArrayParameter.of("uuid", sessions, Asking::session),
                ArrayParameter.of("bigint", sessions, Asking::first),
                ArrayParameter.of("integer", sessions, Asking::from),
                ArrayParameter.of("integer", sessions, Asking::last),
                ArrayParameter.of("bigint", sorted, RequestClaim::number),
                ArrayParameter.of("uuid", sorted, RequestClaim::print),
                ArrayParameter.of("bytea", sorted, each -> SqlValues.holder(each.holder)),
                ArrayParameter.of("bigint", sorted, each -> SqlValues.micros(each.lease)));
        return all.stream()
                .map(each -> Optional.ofNullable(grants.get(each.numbered())))
                .toList();
    }

    /** The settlements that applied; for the others the full rules must decide. Numbers must not repeat. */
    static Set<Numbered> settle(Connection connection, List<RequestSettlement> all) throws SQLException {
        return new HashSet<>(SETTLE.query(
                connection,
                row -> new Numbered(row.getObject("o_session"), row.getLong("o_number")),
                ArrayParameter.of("uuid", all, RequestSettlement::session),
                ArrayParameter.of("bigint", all, RequestSettlement::number),
                ArrayParameter.of("bytea", all, each -> SqlValues.holder(each.holder)),
                ArrayParameter.of("bigint", all, RequestSettlement::fence),
                ArrayParameter.of("bigint", all, RequestSettlement::lease),
                ArrayParameter.of("bytea", all, RequestSettlement::result)));
    }

    /** A session, the highest mark that its requests bring, and their positions among all requests. */
    private record Asking(Object session, long first, int from, int last) {

        static Asking of(Object session, List<RequestClaim> claimings, int last) {
            long first = claimings.stream()
                    .mapToLong(each -> each.call.firstOutstanding())
                    .max()
                    .orElseThrow();
            return new Asking(session, first, last - claimings.size() + 1, last);
        }
    }

    /** A number of a session. */
    record Numbered(Object session, long number) {}

    /** A claim as the parameters of a statement. */
    record RequestClaim(Object session, long number, Call call, String holder, Duration lease) {

        static RequestClaim of(SessionRows rows, RequestKey asked, Call call, String holder, Duration lease) {
            return new RequestClaim(rows.id(asked.session()), asked.number(), call, holder, lease);
        }

        Numbered numbered() {
            return new Numbered(session, number);
        }

        Object print() {
            return SqlDialect.POSTGRESQL.binary16(call.fingerprint().toBytes());
        }
    }

    /** A settlement as the parameters of a statement. */
    record RequestSettlement(Object session, long number, String holder, long fence, Settlement settlement) {

        Numbered numbered() {
            return new Numbered(session, number);
        }

        @Nullable
        Long lease() {
            return settlement instanceof Settlement.Renew more ? SqlValues.micros(more.lease()) : null;
        }

        byte @Nullable [] result() {
            return settlement instanceof Settlement.Complete done ? done.result() : null;
        }
    }

    private PostgresRequests() {}
}
