// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.client;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.semel.Level;
import io.semel.redis.internal.script.Script;
import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.ScriptRequest;
import io.semel.store.Combiner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Sends requests to one script; concurrent ones are batched if one round trip can carry them. */
public final class ScriptClient implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.semel.redis.RedisStore");

    private static final int LANES = 2;
    private static final int MOST = 128;

    private final ServerCommands commands;
    private final RedisSettings settings;
    private final List<String> caveats;
    private final Combiner<ScriptRequest, ScriptReply> combiner;

    private ScriptClient(ServerCommands commands, RedisSettings settings) {
        this.commands = commands;
        this.settings = settings;
        this.combiner = new Combiner<>(LANES, MOST, Function.identity(), commands::run, settings.timeout());
        this.caveats = check();
    }

    public static ScriptClient to(RedisClient client, RedisSettings settings, Script script) {
        return new ScriptClient(new LettuceCommands(client, settings, script), settings);
    }

    public static ScriptClient to(RedisClusterClient client, RedisSettings settings, Script script) {
        if (settings.confirmations() > 0) {
            throw new IllegalArgumentException(
                    "In a cluster replicas cannot confirm writes; leave out confirmedBy, or set"
                            + " min-replicas-to-write.");
        }
        return new ScriptClient(new LettuceClusterCommands(client, settings, script), settings);
    }

    public static ScriptClient over(ServerCommands commands, RedisSettings settings) {
        return new ScriptClient(commands, settings);
    }

    private List<String> check() {
        try {
            List<String> found = ServerCheck.of(commands, settings);
            found.forEach(each -> LOG.log(System.Logger.Level.WARNING, "Redis is best effort. " + each));
            return found;
        } catch (RuntimeException e) {
            commands.close();
            throw e;
        }
    }

    public List<String> caveats() {
        return caveats;
    }

    public Level level() {
        return settings.isDurable() ? Level.LEASED : Level.BEST_EFFORT;
    }

    public ServerCommands commands() {
        return commands;
    }

    public ScriptReply send(ScriptRequest request) {
        return commands.carriesBatches()
                ? combiner.ask(request)
                : commands.run(List.of(request)).get(0);
    }

    /** The replies, in the order of the requests. */
    public List<ScriptReply> sendAll(List<ScriptRequest> requests) {
        List<ScriptReply> replies = new ArrayList<>(requests.size());
        for (int from = 0; from < requests.size(); from += MOST) {
            replies.addAll(commands.run(requests.subList(from, Math.min(requests.size(), from + MOST))));
        }
        return replies;
    }

    @Override
    public void close() {
        commands.close();
    }
}
