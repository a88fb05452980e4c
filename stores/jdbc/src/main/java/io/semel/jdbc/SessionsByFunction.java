// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Combiner;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Outcome.Reason;
import io.semel.Settlement;
import io.semel.jdbc.PostgresRequests.Claiming;
import io.semel.jdbc.PostgresRequests.Numbered;
import io.semel.jdbc.PostgresRequests.Settling;
import io.semel.jdbc.Statement.Column;
import io.semel.session.RequestKey;
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

/**
 * Lets functions in the database decide, in one round trip; what is asked at the same time goes together. What is usual is tried
 * first, for all at once; the rest is judged one by one.
 */
final class SessionsByFunction implements SessionTrips {

    /** In the order of the sessions, so that two such statements do not wait for each other. */
    private static final Statement CLAIM = new Statement(Dialect.POSTGRESQL, """
            SELECT q.place, a.*
            FROM (SELECT * FROM unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::uuid[], ?::bytea[], ?::bigint[])
                           WITH ORDINALITY AS q (session, number, first, print, holder, lease, place)
                  ORDER BY session, place) q,
                 LATERAL semel_claim_request_1(q.session, q.number, q.first, q.print, q.holder, q.lease) a
            """);

    private static final Statement SETTLE = new Statement(Dialect.POSTGRESQL, """
            SELECT q.place, a.applied
            FROM (SELECT * FROM unnest(?::uuid[], ?::bigint[], ?::bytea[], ?::bigint[], ?::bigint[], ?::bytea[])
                           WITH ORDINALITY AS q (session, number, holder, fence, lease, result, place)
                  ORDER BY session, place) q,
                 LATERAL semel_settle_request_1(q.session, q.number, q.holder, q.fence, q.lease, q.result) AS a (applied)
            """);

    private final Access access;
    private final SessionRows rows;
    private final Combiner<Claiming, Claim> claims =
            new Combiner<>(1, SharedTrips.MOST, Claiming::numbered, this::claimAll);
    private final Combiner<Settling, Boolean> settles =
            new Combiner<>(1, SharedTrips.MOST, Settling::numbered, this::settleAll);

    /** A claim begins as the last one ended. */
    private volatile boolean mostlyNew = true;

    SessionsByFunction(Access access, SessionRows rows) {
        this.access = access;
        this.rows = rows;
    }

    @Override
    public Claim claim(RequestKey asked, Call call, String holder, Duration lease) {
        Claiming claiming = Claiming.of(rows, asked, call, holder, lease);
        return access.level() == Level.JOINED ? judgeClaims(List.of(claiming)).get(0) : claims.ask(claiming);
    }

    @Override
    public boolean settle(RequestKey asked, Key key, String holder, long fence, Settlement settlement) {
        Settling settling = new Settling(rows.id(asked.session()), asked.number(), holder, fence, settlement);
        byte[] result = settling.result();
        boolean alone = access.level() == Level.JOINED || (result != null && result.length > SharedTrips.MOST_BYTES);
        return alone ? judgeSettles(List.of(settling)).get(0) : settles.ask(settling);
    }

    private List<Claim> claimAll(List<Claiming> all) {
        List<Optional<Claim>> grants = mostlyNew
                ? access.saying(
                        () -> "claim " + all.size() + " requests of sessions",
                        connection -> PostgresRequests.begin(connection, all))
                : Collections.nCopies(all.size(), Optional.empty());
        List<Claim> judged = judgeClaims(left(all, grants));
        List<Claim> claims = filled(grants, judged);
        mostlyNew = claims.stream().filter(Claim.Granted.class::isInstance).count() * 2 > all.size();
        return claims;
    }

    private List<Boolean> settleAll(List<Settling> all) {
        List<Settling> answers =
                all.stream().filter(each -> each.result() != null).toList();
        Set<Numbered> kept = answers.isEmpty()
                ? Set.of()
                : access.saying(
                        () -> "settle " + answers.size() + " requests of sessions",
                        connection -> PostgresRequests.complete(connection, answers));
        List<Optional<Boolean>> applied = all.stream()
                .map(each -> kept.contains(each.numbered()) ? Optional.of(true) : Optional.<Boolean>empty())
                .toList();
        return filled(applied, judgeSettles(left(all, applied)));
    }

    private static <Q> List<Q> left(List<Q> questions, List<? extends Optional<?>> answers) {
        return IntStream.range(0, questions.size())
                .filter(i -> answers.get(i).isEmpty())
                .mapToObj(questions::get)
                .toList();
    }

    private static <A> List<A> filled(List<Optional<A>> answers, List<A> others) {
        Iterator<A> next = others.iterator();
        return answers.stream().map(each -> each.orElseGet(next::next)).toList();
    }

    private List<Claim> judgeClaims(List<Claiming> all) {
        if (all.isEmpty()) {
            return List.of();
        }
        return answers(
                all,
                access.saying(
                        () -> "claim " + all.size() + " requests of sessions",
                        connection -> CLAIM.query(
                                connection,
                                row -> new Placed<>(row.getInt("place"), told(row)),
                                Column.of("uuid", all, Claiming::session),
                                Column.of("bigint", all, Claiming::number),
                                Column.of("bigint", all, each -> each.call().firstOutstanding()),
                                Column.of("uuid", all, Claiming::print),
                                Column.of("bytea", all, each -> Claims.Claiming.token(each.holder())),
                                Column.of("bigint", all, each -> Row.micros(each.lease())))));
    }

    private List<Boolean> judgeSettles(List<Settling> all) {
        if (all.isEmpty()) {
            return List.of();
        }
        return answers(
                all,
                access.saying(
                        () -> "settle " + all.size() + " requests of sessions",
                        connection -> SETTLE.query(
                                connection,
                                row -> new Placed<>(row.getInt("place"), row.getBoolean("applied")),
                                Column.of("uuid", all, Settling::session),
                                Column.of("bigint", all, Settling::number),
                                Column.of("bytea", all, each -> Claims.Claiming.token(each.holder())),
                                Column.of("bigint", all, Settling::fence),
                                Column.of("bigint", all, Settling::lease),
                                Column.of("bytea", all, Settling::result))));
    }

    private static <T> List<T> answers(List<?> questions, List<Placed<T>> placed) {
        List<T> answers = new ArrayList<>(Collections.nCopies(questions.size(), null));
        placed.forEach(each -> answers.set(each.place - 1, each.answer));
        return answers;
    }

    private static Claim told(ResultSet row) throws SQLException {
        String told = row.getString("o_told");
        return switch (told) {
            case "GRANTED" -> new Claim.Granted(row.getLong("o_fence"), row.getInt("o_abandoned") == 1);
            case "HELD" -> new Claim.Held(print(row), remaining(row));
            case "SETTLED" -> new Claim.Settled(print(row), row.getBytes("o_result"), remaining(row));
            default -> new Claim.Refused(Reason.valueOf(told));
        };
    }

    private static Fingerprint print(ResultSet row) throws SQLException {
        return Fingerprint.ofDigest(Row.binary16(row, "o_print"));
    }

    private static Duration remaining(ResultSet row) throws SQLException {
        return Duration.of(row.getLong("o_remaining"), ChronoUnit.MICROS);
    }

    private record Placed<T>(int place, T answer) {}
}
