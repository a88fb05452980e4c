// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.jdbc.Statement.Column;
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

/** What is usual, for many requests in one statement: a number that nobody has claimed, its renewals and its end. */
final class PostgresRequests {

    private static final Statement BEGIN = new Statement(
            Dialect.POSTGRESQL,
            "SELECT o_session, o_number, o_fence FROM semel_begin_requests_2("
                    + "?::uuid[], ?::bigint[], ?::integer[], ?::integer[],"
                    + " ?::bigint[], ?::uuid[], ?::bytea[], ?::bigint[])");

    private static final Statement SETTLE = new Statement(
            Dialect.POSTGRESQL,
            "SELECT o_session, o_number FROM semel_settle_requests_2("
                    + "?::uuid[], ?::bigint[], ?::bytea[], ?::bigint[], ?::bigint[], ?::bytea[])");

    /** The grants, in the order of the claims; empty where the rules have to be asked. No number comes twice. */
    static List<Optional<Claim>> begin(Connection connection, List<Claiming> all) throws SQLException {
        // In the order of the sessions, so that two such statements do not wait for each other.
        Map<Object, List<Claiming>> bySession = new TreeMap<>();
        all.forEach(each -> bySession
                .computeIfAbsent(each.session, session -> new ArrayList<>())
                .add(each));
        List<Claiming> sorted = new ArrayList<>(all.size());
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
                Column.of("uuid", sessions, Asking::session),
                Column.of("bigint", sessions, Asking::first),
                Column.of("integer", sessions, Asking::from),
                Column.of("integer", sessions, Asking::last),
                Column.of("bigint", sorted, Claiming::number),
                Column.of("uuid", sorted, Claiming::print),
                Column.of("bytea", sorted, each -> Claims.Claiming.token(each.holder)),
                Column.of("bigint", sorted, each -> Row.micros(each.lease)));
        return all.stream()
                .map(each -> Optional.ofNullable(grants.get(each.numbered())))
                .toList();
    }

    /** Those that applied; the rules have to be asked about the others. No number comes twice. */
    static Set<Numbered> settle(Connection connection, List<Settling> all) throws SQLException {
        return new HashSet<>(SETTLE.query(
                connection,
                row -> new Numbered(row.getObject("o_session"), row.getLong("o_number")),
                Column.of("uuid", all, Settling::session),
                Column.of("bigint", all, Settling::number),
                Column.of("bytea", all, each -> Claims.Claiming.token(each.holder)),
                Column.of("bigint", all, Settling::fence),
                Column.of("bigint", all, Settling::lease),
                Column.of("bytea", all, Settling::result)));
    }

    /** A session, the highest mark that its requests bring, and their places among all of them. */
    private record Asking(Object session, long first, int from, int last) {

        static Asking of(Object session, List<Claiming> claimings, int last) {
            long first = claimings.stream()
                    .mapToLong(each -> each.call.firstOutstanding())
                    .max()
                    .orElseThrow();
            return new Asking(session, first, last - claimings.size() + 1, last);
        }
    }

    /** A number of a session. */
    record Numbered(Object session, long number) {}

    /** A claim as parameters of a statement. */
    record Claiming(Object session, long number, Call call, String holder, Duration lease) {

        static Claiming of(SessionRows rows, RequestKey asked, Call call, String holder, Duration lease) {
            return new Claiming(rows.id(asked.session()), asked.number(), call, holder, lease);
        }

        Numbered numbered() {
            return new Numbered(session, number);
        }

        Object print() {
            return Dialect.POSTGRESQL.binary16(call.fingerprint().toBytes());
        }
    }

    /** A settlement as parameters of a statement. */
    record Settling(Object session, long number, String holder, long fence, Settlement settlement) {

        Numbered numbered() {
            return new Numbered(session, number);
        }

        @Nullable
        Long lease() {
            return settlement instanceof Settlement.Renew more ? Row.micros(more.lease()) : null;
        }

        byte @Nullable [] result() {
            return settlement instanceof Settlement.Complete done ? done.result() : null;
        }
    }

    private PostgresRequests() {}
}
