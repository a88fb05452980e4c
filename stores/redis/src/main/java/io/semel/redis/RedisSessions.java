// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.MalformedKey;
import io.semel.redis.internal.client.ScriptClient;
import io.semel.redis.internal.script.HashedNames;
import io.semel.redis.internal.script.Micros;
import io.semel.redis.internal.script.RedisFailures;
import io.semel.redis.internal.script.Script;
import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.ScriptRequest;
import io.semel.redis.internal.script.SessionReply;
import io.semel.redis.internal.script.SessionRequests;
import io.semel.redis.internal.store.SessionRegistry;
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
 * A {@link SessionStore} in Redis: claims, settlements and heartbeats take one round trip each, all of a session is on
 * one server, and Redis forgets it some time after its end: as long again as its lease, a minute at least and a day at
 * most.
 *
 * <p>The level is that of {@link RedisStore}, BEST_EFFORT, and for the same reasons: a session that Redis has lost is
 * unknown, and none of its requests runs again, but a Redis that has lost only the latest writes may let a request run
 * again. Numbers go up to 2^53 - 1.
 */
public final class RedisSessions implements InspectableSessions, AutoCloseable {

    /** The largest number that a script can represent exactly. */
    private static final long MOST_NUMBER = Micros.NEVER - 1;

    private final ScriptClient client;
    private final HashedNames names;
    private final SessionRegistry registry;
    private final int most;

    private RedisSessions(ScriptClient client, RedisOptions options, int most) {
        this.client = client;
        this.names = new HashedNames(options.prefix() + "session");
        this.registry = new SessionRegistry(client, options.prefix(), names);
        this.most = most;
    }

    /**
     * Sessions on one server, or on the master that Sentinel names; the connection is its own, the client stays yours.
     *
     * @param most the maximum number of live sessions under this prefix
     */
    public static RedisSessions on(RedisClient client, RedisOptions options, int most) {
        return new RedisSessions(ScriptClient.to(client, options.client(), Script.SESSIONS), options, most);
    }

    /** Sessions on a cluster; the connections are its own, the client stays yours. */
    public static RedisSessions on(RedisClusterClient client, RedisOptions options, int most) {
        return new RedisSessions(ScriptClient.to(client, options.client(), Script.SESSIONS), options, most);
    }

    /** The ways in which these servers may lose acknowledged writes, as found when the store was opened. */
    public List<String> caveats() {
        return client.caveats();
    }

    @Override
    public Level level() {
        return client.level();
    }

    @Override
    public Instant now() {
        return client.commands().time();
    }

    /** Takes two round trips, because the sessions are counted in one place. */
    @Override
    public Registration register(Session session, int mostOfScope) {
        SessionRegistry.Reserved place = registry.reserve(session.key(), most, mostOfScope);
        if (place.registration() != Registration.LIVE) {
            return place.registration();
        }
        ScriptReply reply = client.send(SessionRequests.register(name(session.key()), session, place.until()));
        return switch ((int) reply.number("register a session")) {
            case 1 -> Registration.LIVE;
            case 2 -> throw RedisFailures.late();
            default -> {
                registry.remove(session.key());
                yield Registration.EXPIRED;
            }
        };
    }

    @Override
    public State keepAlive(SessionKey key, long firstOutstanding) {
        ScriptRequest request = SessionRequests.keepAlive(name(key), counted(firstOutstanding));
        return new SessionReply(client.send(request)).state("keep a session alive");
    }

    @Override
    public boolean close(SessionKey key) {
        boolean closed = client.send(SessionRequests.close(name(key))).applied("close a session");
        if (closed) {
            registry.remove(key);
        }
        return closed;
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        return new SessionReply(client.send(request(new Claiming(call, holder, lease)))).claim("claim " + call.key());
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return client.send(request(new Settling(key, holder, fence, settlement)))
                .applied("settle " + key);
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        List<ScriptReply> replies =
                client.sendAll(claimings.stream().map(this::request).toList());
        List<Claim> claims = new ArrayList<>(claimings.size());
        for (int i = 0; i < replies.size(); i++) {
            claims.add(new SessionReply(replies.get(i))
                    .claim("claim " + claimings.get(i).call().key()));
        }
        return claims;
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return client.sendAll(settlings.stream().map(this::request).toList()).stream()
                .map(reply -> reply.applied("settle requests"))
                .toList();
    }

    private ScriptRequest request(Claiming claiming) {
        Call call = claiming.call();
        RequestKey asked = RequestKey.of(call.key());
        counted(call.firstOutstanding());
        return SessionRequests.claim(
                name(asked.session()), counted(asked.number()), call, claiming.holder(), claiming.lease());
    }

    private ScriptRequest request(Settling said) {
        RequestKey asked = RequestKey.of(said.key());
        return SessionRequests.settle(
                name(asked.session()), counted(asked.number()), said.holder(), said.fence(), said.settlement());
    }

    @Override
    public Optional<Claim> peek(Key key) {
        RequestKey asked = RequestKey.of(key);
        ScriptRequest request = SessionRequests.look(name(asked.session()), counted(asked.number()));
        return new SessionReply(client.send(request)).known("look up " + key);
    }

    @Override
    public Optional<SessionView> look(SessionKey key) {
        return new SessionReply(client.send(SessionRequests.view(name(key)))).view("look up a session");
    }

    @Override
    public List<SessionView> list(String scope, int limit) {
        return registry.list(scope, limit);
    }

    /** Deletes the requests of expired sessions and unregisters these; Redis expires the rest by itself. */
    @Override
    public int purge(int limit) {
        return registry.sweep(limit);
    }

    /** Reads every session: for operators, not for requests. */
    @Override
    public Counts countSessions() {
        return registry.count();
    }

    /** Closes the connection; the sessions stay. */
    @Override
    public void close() {
        client.close();
    }

    private byte[] name(SessionKey key) {
        return names.of(SessionRegistry.id(key));
    }

    private static long counted(long number) {
        if (number > MOST_NUMBER) {
            throw new MalformedKey("The number " + number + " is above " + MOST_NUMBER
                    + ", the largest request number of a session in Redis; number requests from 1.");
        }
        return number;
    }
}
