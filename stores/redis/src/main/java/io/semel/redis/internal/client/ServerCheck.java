// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The check of the servers at start-up: reasons to refuse them, and ways in which they may lose acknowledged writes. */
public final class ServerCheck {

    /** These versions cannot be given the time at which a key expires, so that granted claims could not be settled. */
    private static final Pattern TOO_OLD = Pattern.compile("[0-5]\\..*|6\\.[01](\\..*)?");

    private final ServerCommands commands;
    private final RedisSettings settings;
    private final List<Map<String, String>> servers;

    private ServerCheck(ServerCommands commands, RedisSettings settings) {
        this.commands = commands;
        this.settings = settings;
        this.servers = commands.infos();
    }

    /** The ways to lose writes, unless the servers are refused. */
    public static List<String> of(ServerCommands commands, RedisSettings settings) {
        ServerCheck check = new ServerCheck(commands, settings);
        List<String> reasons = check.reasonsToRefuse();
        if (!reasons.isEmpty()) {
            throw new IllegalStateException("This Redis is refused: " + String.join(" ", reasons));
        }
        return check.caveats();
    }

    private List<String> reasonsToRefuse() {
        List<String> reasons = new ArrayList<>();
        servers.forEach(info -> addIncompatibilities(info, reasons));
        if (!settings.isEvictable() || settings.isDurable()) {
            for (String policy : evictions()) {
                reasons.add("Its maxmemory-policy is " + policy
                        + ", so that it may evict the records of completed calls. Set it to noeviction, or use"
                        + " acceptingEviction().");
            }
        }
        if (settings.isDurable()) {
            reasons.addAll(reasonsAgainstDurable());
        }
        return reasons;
    }

    private void addIncompatibilities(Map<String, String> info, List<String> reasons) {
        String version = info.getOrDefault("redis_version", "");
        if (TOO_OLD.matcher(version).matches()) {
            reasons.add("Its version is " + version + "; use 6.2 or later.");
        }
        if (commands.carriesBatches() && "1".equals(info.get("cluster_enabled"))) {
            reasons.add("It is one server of a cluster, which has only some of the keys."
                    + " Open the store with Lettuce's RedisClusterClient.");
        }
    }

    private List<String> reasonsAgainstDurable() {
        if (!commands.carriesBatches() || servers.stream().anyMatch(ServerCheck::mayFailOver)) {
            return List.of(
                    "It has replicas or is a cluster: a failover may lose acknowledged writes. LEASED needs a single"
                            + " server; leave out durable().");
        }
        List<String> reasons = new ArrayList<>();
        demand("appendonly", "yes", reasons);
        demand("appendfsync", "always", reasons);
        demand("no-appendfsync-on-rewrite", "no", reasons);
        return reasons;
    }

    private void demand(String setting, String wanted, List<String> reasons) {
        String found = commands.setting(setting);
        if (!found.equals(wanted)) {
            reasons.add("To promise LEASED it must have " + setting + " " + wanted + ", not " + found
                    + ". Set it, or leave out durable().");
        }
    }

    private List<String> caveats() {
        if (settings.isDurable()) {
            return List.of();
        }
        List<String> caveats = new ArrayList<>();
        for (String policy : evictions()) {
            caveats.add("maxmemory-policy is " + policy
                    + ": under memory pressure answers are evicted, and their calls run again.");
        }
        if (servers.stream().anyMatch(info -> "0".equals(info.get("aof_enabled")))) {
            caveats.add("appendonly is off: a crash of the server loses everything since its last snapshot.");
        } else {
            caveats.add("Unless appendfsync is always, a crash loses the writes that are not on disk yet,"
                    + " about a second with everysec. For a single server that always syncs, durable() gives LEASED.");
        }
        if (servers.stream().noneMatch(ServerCheck::mayFailOver)) {
            caveats.add("There is no replica: while the server is down nothing can be claimed or settled.");
        } else if (settings.confirmations() == 0) {
            caveats.add("Replication is asynchronous: a failover may lose the writes acknowledged just before it.");
        } else {
            caveats.add("Acknowledged writes were confirmed by " + settings.confirmations()
                    + " of the replicas, in their memory: a failover to another replica, or a crash of all,"
                    + " may lose them.");
        }
        servers.forEach(info -> addMissingReplicas(info, caveats));
        return List.copyOf(caveats);
    }

    private void addMissingReplicas(Map<String, String> info, List<String> caveats) {
        int replicas = Integer.parseInt(info.getOrDefault("connected_slaves", "0"));
        if (replicas < settings.confirmations()) {
            caveats.add("confirmedBy(" + settings.confirmations() + ") needs more replicas than the " + replicas
                    + " that are connected: until there are enough, nothing is granted and nothing confirmed.");
        }
    }

    private Set<String> evictions() {
        Set<String> policies = new TreeSet<>();
        for (Map<String, String> info : servers) {
            policies.add(info.getOrDefault("maxmemory_policy", "not reported by INFO"));
        }
        policies.remove("noeviction");
        return policies;
    }

    private static boolean mayFailOver(Map<String, String> info) {
        return !"0".equals(info.getOrDefault("connected_slaves", "0")) || !"master".equals(info.get("role"));
    }
}
