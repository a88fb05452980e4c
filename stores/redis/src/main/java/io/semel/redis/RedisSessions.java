// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.MalformedKey;
import io.semel.session.InspectableSessions;
import io.semel.session.RequestKey;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.session.SessionView;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A {@link SessionStore} in Redis: claims, settlements and keep-alives are one trip each, all of a session is on one server, and
 * Redis forgets it some time after it ended: as long again as its lease, a minute at least and a day at most.
 *
 * <p>The level is that of {@link RedisStore}, BEST_EFFORT, and for the same reasons: a session that Redis forgot is unknown, and
 * nothing of it runs again, but a Redis that forgot only the last of it may let a request run again. Numbers go up to 2^53 - 1.
 */
public final class RedisSessions implements InspectableSessions, AutoCloseable {

    /** What a script can count exactly. */
    private static final long MOST_NUMBER = Micros.NEVER - 1;

    private final Line line;
    private final Names names;
    private final Roll roll;
    private final int most;

    private RedisSessions(Line line, RedisOptions options, int most) {
        this.line = line;
        this.names = new Names(options.prefix() + "session");
        this.roll = new Roll(line, options.prefix(), names);
        this.most = most;
    }

    /**
     * Sessions on one server, or on the master that Sentinel names; the connection is their own, the client stays yours.
     *
     * @param most how many may live at once under this prefix
     */
    public static RedisSessions on(RedisClient client, RedisOptions options, int most) {
        return new RedisSessions(Line.to(client, options, Script.SESSIONS), options, most);
    }

    /** Sessions on a cluster; the connections are their own, the client stays yours. */
    public static RedisSessions on(RedisClusterClient client, RedisOptions options, int most) {
        return new RedisSessions(Line.to(client, options, Script.SESSIONS), options, most);
    }

    /** The ways in which these servers may forget what they acknowledged, as found when this was opened. */
    public List<String> caveats() {
        return line.caveats();
    }

    @Override
    public Level level() {
        return line.level();
    }

    @Override
    public Instant now() {
        return line.commands().time();
    }

    /** In two trips, because the number of sessions is kept in one place. */
    @Override
    public Registration register(Session session, int mostOfScope) {
        Roll.Reserved place = roll.reserve(session.key(), most, mostOfScope);
        if (place.registration() != Registration.LIVE) {
            return place.registration();
        }
        Reply reply = line.ask(SessionAsk.register(name(session.key()), session, place.until()));
        return switch ((int) reply.number("register a session")) {
            case 1 -> Registration.LIVE;
            case 2 -> throw Failures.late();
            default -> {
                roll.strike(session.key());
                yield Registration.EXPIRED;
            }
        };
    }

    @Override
    public State keepAlive(SessionKey key, long firstOutstanding) {
        Ask ask = SessionAsk.keepAlive(name(key), counted(firstOutstanding));
        return new SessionReply(line.ask(ask)).state("keep a session alive");
    }

    @Override
    public boolean close(SessionKey key) {
        boolean closed = line.ask(SessionAsk.close(name(key))).applied("close a session");
        if (closed) {
            roll.strike(key);
        }
        return closed;
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        return new SessionReply(line.ask(ask(new Claiming(call, holder, lease)))).claim("claim " + call.key());
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return line.ask(ask(new Settling(key, holder, fence, settlement))).applied("settle " + key);
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        List<Reply> replies = line.askAll(claimings.stream().map(this::ask).toList());
        List<Claim> claims = new ArrayList<>(claimings.size());
        for (int i = 0; i < replies.size(); i++) {
            claims.add(new SessionReply(replies.get(i))
                    .claim("claim " + claimings.get(i).call().key()));
        }
        return claims;
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return line.askAll(settlings.stream().map(this::ask).toList()).stream()
                .map(reply -> reply.applied("settle requests"))
                .toList();
    }

    private Ask ask(Claiming claiming) {
        Call call = claiming.call();
        RequestKey asked = RequestKey.of(call.key());
        counted(call.firstOutstanding());
        return SessionAsk.claim(
                name(asked.session()), counted(asked.number()), call, claiming.holder(), claiming.lease());
    }

    private Ask ask(Settling said) {
        RequestKey asked = RequestKey.of(said.key());
        return SessionAsk.settle(
                name(asked.session()), counted(asked.number()), said.holder(), said.fence(), said.settlement());
    }

    @Override
    public Optional<Claim> peek(Key key) {
        RequestKey asked = RequestKey.of(key);
        Ask ask = SessionAsk.look(name(asked.session()), counted(asked.number()));
        return new SessionReply(line.ask(ask)).known("peek at " + key);
    }

    @Override
    public Optional<SessionView> look(SessionKey key) {
        return new SessionReply(line.ask(SessionAsk.view(name(key)))).view("look at a session");
    }

    @Override
    public List<SessionView> list(String scope, int limit) {
        return roll.list(scope, limit);
    }

    /** Forgets the requests of sessions that have expired, and strikes them off; Redis forgets the rest by itself. */
    @Override
    public int purge(int limit) {
        return roll.sweep(limit);
    }

    /** Looks at every session: for operators, not for requests. */
    @Override
    public Counts countSessions() {
        return roll.count();
    }

    /** Lets go of the connection; the sessions stay. */
    @Override
    public void close() {
        line.close();
    }

    private byte[] name(SessionKey key) {
        return names.of(id(key));
    }

    static byte[] id(SessionKey key) {
        return Key.of(key.scope(), key.id()).hash();
    }

    private static long counted(long number) {
        if (number > MOST_NUMBER) {
            throw new MalformedKey("The number " + number + " is above " + MOST_NUMBER
                    + ", up to where requests of a session in Redis are counted; count from 1.");
        }
        return number;
    }
}
