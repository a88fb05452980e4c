// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.semel.Level;
import io.semel.store.Combiner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The way of questions to one script: those of many threads go together where one trip can carry them. */
final class Line implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(RedisStore.class.getName());

    private static final int LANES = 2;
    private static final int MOST = 128;

    private final Commands commands;
    private final RedisOptions options;
    private final List<String> caveats;
    private final Combiner<Ask, Reply> combiner;

    private Line(Commands commands, RedisOptions options) {
        this.commands = commands;
        this.options = options;
        this.combiner = new Combiner<>(LANES, MOST, Function.identity(), commands::run, options.timeout());
        this.caveats = survey();
    }

    static Line to(RedisClient client, RedisOptions options, Script script) {
        return new Line(new LettuceCommands(client, options, script), options);
    }

    static Line to(RedisClusterClient client, RedisOptions options, Script script) {
        if (options.confirmations() > 0) {
            throw new IllegalArgumentException(
                    "In a cluster replicas cannot confirm; leave out confirmedBy, or use min-replicas-to-write.");
        }
        return new Line(new LettuceClusterCommands(client, options, script), options);
    }

    static Line over(Commands commands, RedisOptions options) {
        return new Line(commands, options);
    }

    private List<String> survey() {
        try {
            List<String> found = Survey.of(commands, options);
            found.forEach(each -> LOG.log(System.Logger.Level.WARNING, "Redis is best effort. " + each));
            return found;
        } catch (RuntimeException e) {
            commands.close();
            throw e;
        }
    }

    List<String> caveats() {
        return caveats;
    }

    Level level() {
        return options.isDurable() ? Level.LEASED : Level.BEST_EFFORT;
    }

    Commands commands() {
        return commands;
    }

    Reply ask(Ask ask) {
        return commands.isOneTrip()
                ? combiner.ask(ask)
                : commands.run(List.of(ask)).get(0);
    }

    /** All of them, in their order. */
    List<Reply> askAll(List<Ask> asks) {
        List<Reply> replies = new ArrayList<>(asks.size());
        for (int from = 0; from < asks.size(); from += MOST) {
            replies.addAll(commands.run(asks.subList(from, Math.min(asks.size(), from + MOST))));
        }
        return replies;
    }

    @Override
    public void close() {
        commands.close();
    }
}
