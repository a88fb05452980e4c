// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

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

/** One server through the pool of Jedis: each trip has a connection to itself, which is dropped if there was no answer in time. */
final class JedisCommands implements Commands {

    private final RedisClient client;
    private final RedisOptions options;
    private final Script script;
    private volatile boolean closed;

    JedisCommands(RedisClient client, RedisOptions options, Script script) {
        this.client = client;
        this.options = options;
        this.script = script;
    }

    @Override
    public boolean isOneTrip() {
        return true;
    }

    @Override
    public List<Reply> run(List<Ask> asks) {
        return within("run the script", connection -> {
            List<Object> answer = call(connection, asks);
            confirm(connection);
            return Reply.all(answer);
        });
    }

    private List<Object> call(Connection connection, List<Ask> asks) {
        try {
            byte[] digest = script.digest().getBytes(StandardCharsets.US_ASCII);
            return ask(connection, script(Command.EVALSHA, digest, asks), BuilderFactory.RAW_OBJECT_LIST);
        } catch (JedisNoScriptException flushed) {
            return ask(connection, script(Command.EVAL, script.source(), asks), BuilderFactory.RAW_OBJECT_LIST);
        }
    }

    private static CommandArguments script(Command command, byte[] script, List<Ask> asks) {
        return new CommandArguments(command)
                .add(script)
                .add(asks.size())
                .addObjects((Object[]) Ask.names(asks))
                .addObjects((Object[]) Ask.arguments(asks));
    }

    private void confirm(Connection connection) {
        if (options.confirmations() > 0) {
            CommandArguments wait = new CommandArguments(Command.WAIT)
                    .add(options.confirmations())
                    .add(options.confirmedWithin());
            long have = ask(connection, wait, BuilderFactory.LONG);
            if (have < options.confirmations()) {
                throw Failures.unconfirmed(have, options.confirmations());
            }
        }
    }

    @Override
    public Instant time() {
        return within(
                "tell the time",
                connection -> Micros.instant(
                        ask(connection, new CommandArguments(Command.TIME), BuilderFactory.BINARY_LIST)));
    }

    @Override
    public Slice scan(byte @Nullable [] pattern, @Nullable String cursor, int about) {
        CommandArguments scan = new CommandArguments(Command.SCAN)
                .add(cursor == null ? "0" : cursor)
                .add("COUNT")
                .add(about);
        if (pattern != null) {
            scan.add("MATCH").add(pattern);
        }
        ScanResult<byte[]> found =
                within("list slots", connection -> ask(connection, scan, BuilderFactory.SCAN_BINARY_RESPONSE));
        return new Slice(found.getResult(), found.isCompleteIteration() ? null : found.getCursor());
    }

    @Override
    public long size() {
        return within(
                "count names",
                connection -> ask(connection, new CommandArguments(Command.DBSIZE), BuilderFactory.LONG));
    }

    @Override
    public List<Map<String, String>> infos() {
        CommandArguments info = new CommandArguments(Command.INFO);
        return List.of(
                Commands.info(within("ask for INFO", connection -> ask(connection, info, BuilderFactory.STRING))));
    }

    @Override
    public String setting(String name) {
        CommandArguments config =
                new CommandArguments(Command.CONFIG).add("GET").add(name);
        Map<String, String> found =
                within("read the setting " + name, connection -> ask(connection, config, BuilderFactory.STRING_MAP));
        return found.getOrDefault(name, "");
    }

    private static <T> T ask(Connection connection, CommandArguments command, Builder<T> answer) {
        return connection.executeCommand(new CommandObject<>(command, answer));
    }

    private <T> T within(String what, Function<Connection, T> trip) {
        try (Connection connection = connection()) {
            return hurried(connection, trip);
        } catch (JedisDataException e) {
            throw Failures.refused(what, String.valueOf(e.getMessage()), e);
        } catch (JedisException e) {
            throw Failures.unknown(what, e);
        }
    }

    /** With this store's time-out, and as it was again for whoever gets the connection next. */
    private <T> T hurried(Connection connection, Function<Connection, T> trip) {
        int usual = connection.getSoTimeout();
        connection.setSoTimeout((int) Math.max(1, options.timeout().toMillis()));
        try {
            return trip.apply(connection);
        } finally {
            if (!connection.isBroken()) {
                connection.setSoTimeout(usual);
            }
        }
    }

    private Connection connection() {
        if (closed) {
            throw Failures.closed();
        }
        try {
            return client.getPool().getResource();
        } catch (JedisException e) {
            throw e.getCause() instanceof NoSuchElementException ? Failures.exhausted(e) : Failures.unconnected(e);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
