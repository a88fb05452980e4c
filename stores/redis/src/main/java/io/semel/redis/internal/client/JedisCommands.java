// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.client;

import io.semel.redis.internal.script.Micros;
import io.semel.redis.internal.script.RedisFailures;
import io.semel.redis.internal.script.Script;
import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.ScriptRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Builder;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.resps.ScanResult;

/**
 * Commands to one server through the pool of Jedis: each round trip has a connection to itself, which is dropped after
 * a timeout.
 */
public final class JedisCommands implements ServerCommands {

    private final RedisClient client;
    private final RedisSettings settings;
    private final Script script;
    private volatile boolean closed;

    public JedisCommands(RedisClient client, RedisSettings settings, Script script) {
        this.client = client;
        this.settings = settings;
        this.script = script;
    }

    @Override
    public boolean carriesBatches() {
        return true;
    }

    @Override
    public List<ScriptReply> run(List<ScriptRequest> requests) {
        return within("run the script", connection -> {
            List<Object> answer = call(connection, requests);
            confirm(connection);
            return ScriptReply.all(answer);
        });
    }

    private List<Object> call(Connection connection, List<ScriptRequest> requests) {
        try {
            byte[] digest = script.digest().getBytes(StandardCharsets.US_ASCII);
            return execute(connection, script(Command.EVALSHA, digest, requests), BuilderFactory.RAW_OBJECT_LIST);
        } catch (JedisNoScriptException flushed) {
            return execute(connection, script(Command.EVAL, script.source(), requests), BuilderFactory.RAW_OBJECT_LIST);
        }
    }

    private static CommandArguments script(Command command, byte[] script, List<ScriptRequest> requests) {
        return new CommandArguments(command)
                .add(script)
                .add(requests.size())
                .addObjects((Object[]) ScriptRequest.names(requests))
                .addObjects((Object[]) ScriptRequest.arguments(requests));
    }

    private void confirm(Connection connection) {
        if (settings.confirmations() > 0) {
            CommandArguments wait = new CommandArguments(Command.WAIT)
                    .add(settings.confirmations())
                    .add(settings.confirmedWithin());
            long have = execute(connection, wait, BuilderFactory.LONG);
            if (have < settings.confirmations()) {
                throw RedisFailures.unconfirmed(have, settings.confirmations());
            }
        }
    }

    @Override
    public Instant time() {
        return within(
                "read the time",
                connection -> Micros.instant(
                        execute(connection, new CommandArguments(Command.TIME), BuilderFactory.BINARY_LIST)));
    }

    @Override
    public ScanPage scan(byte @Nullable [] pattern, @Nullable String cursor, int about) {
        CommandArguments scan = new CommandArguments(Command.SCAN)
                .add(cursor == null ? "0" : cursor)
                .add("COUNT")
                .add(about);
        if (pattern != null) {
            scan.add("MATCH").add(pattern);
        }
        ScanResult<byte[]> found =
                within("list slots", connection -> execute(connection, scan, BuilderFactory.SCAN_BINARY_RESPONSE));
        return new ScanPage(found.getResult(), found.isCompleteIteration() ? null : found.getCursor());
    }

    @Override
    public long size() {
        return within(
                "count names",
                connection -> execute(connection, new CommandArguments(Command.DBSIZE), BuilderFactory.LONG));
    }

    @Override
    public List<Map<String, String>> infos() {
        CommandArguments info = new CommandArguments(Command.INFO);
        return List.of(ServerCommands.info(
                within("read INFO", connection -> execute(connection, info, BuilderFactory.STRING))));
    }

    @Override
    public String setting(String name) {
        CommandArguments config =
                new CommandArguments(Command.CONFIG).add("GET").add(name);
        Map<String, String> found = within(
                "read the setting " + name, connection -> execute(connection, config, BuilderFactory.STRING_MAP));
        return found.getOrDefault(name, "");
    }

    private static <T> T execute(Connection connection, CommandArguments command, Builder<T> answer) {
        return connection.executeCommand(new CommandObject<>(command, answer));
    }

    private <T> T within(String what, Function<Connection, T> action) {
        try (Connection connection = connection()) {
            return withTimeout(connection, action);
        } catch (JedisDataException e) {
            throw RedisFailures.refused(what, String.valueOf(e.getMessage()), e);
        } catch (JedisException e) {
            throw RedisFailures.unknown(what, e);
        }
    }

    /** Uses this store's timeout, and restores the connection's own for its next user. */
    private <T> T withTimeout(Connection connection, Function<Connection, T> action) {
        int usual = connection.getSoTimeout();
        connection.setSoTimeout((int) Math.max(1, settings.timeout().toMillis()));
        try {
            return action.apply(connection);
        } finally {
            if (!connection.isBroken()) {
                connection.setSoTimeout(usual);
            }
        }
    }

    private Connection connection() {
        if (closed) {
            throw RedisFailures.closed();
        }
        try {
            return client.getPool().getResource();
        } catch (JedisException e) {
            throw e.getCause() instanceof NoSuchElementException
                    ? RedisFailures.exhausted(e)
                    : RedisFailures.unconnected(e);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
