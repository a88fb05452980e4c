// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What a look at the servers finds at start-up: reasons to refuse them, and ways in which they may forget. */
final class Survey {

    /** They cannot be told the moment at which a key expires, so that nothing that was granted could be settled. */
    private static final Pattern TOO_OLD = Pattern.compile("[0-5]\\..*|6\\.[01](\\..*)?");

    private final Commands commands;
    private final RedisOptions options;
    private final List<Map<String, String>> servers;

    private Survey(Commands commands, RedisOptions options) {
        this.commands = commands;
        this.options = options;
        this.servers = commands.infos();
    }

    /** The ways to forget, unless the servers are refused. */
    static List<String> of(Commands commands, RedisOptions options) {
        Survey survey = new Survey(commands, options);
        List<String> reasons = survey.reasonsToRefuse();
        if (!reasons.isEmpty()) {
            throw new IllegalStateException("This Redis is refused: " + String.join(" ", reasons));
        }
        return survey.caveats();
    }

    private List<String> reasonsToRefuse() {
        List<String> reasons = new ArrayList<>();
        servers.forEach(info -> addWhatCannotWork(info, reasons));
        if (!options.isEvictable() || options.isDurable()) {
            for (String policy : evictions()) {
                reasons.add(
                        "Its maxmemory-policy is " + policy
                                + ", so that it may evict the memory of what was done. Set it to noeviction, or say acceptingEviction().");
            }
        }
        if (options.isDurable()) {
            reasons.addAll(reasonsAgainstDurable());
        }
        return reasons;
    }

    private void addWhatCannotWork(Map<String, String> info, List<String> reasons) {
        String version = info.getOrDefault("redis_version", "");
        if (TOO_OLD.matcher(version).matches()) {
            reasons.add("Its version is " + version + "; use 6.2 or later.");
        }
        if (commands.isOneTrip() && "1".equals(info.get("cluster_enabled"))) {
            reasons.add("It is one server of a cluster, which has only some of the keys."
                    + " Open the store with Lettuce's RedisClusterClient.");
        }
    }

    private List<String> reasonsAgainstDurable() {
        if (!commands.isOneTrip() || servers.stream().anyMatch(Survey::mayFailOver)) {
            return List.of(
                    "It has replicas or is a cluster: a failover may lose what was acknowledged. LEASED needs one server alone; leave out durable().");
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
        if (options.isDurable()) {
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
            caveats.add(
                    "Unless appendfsync is always, a crash loses what the append-only file does not have on disk yet,"
                            + " about a second with everysec. For one server alone that syncs always, durable() gives LEASED.");
        }
        if (servers.stream().noneMatch(Survey::mayFailOver)) {
            caveats.add("There is no replica: while the server is down nothing can be claimed or settled.");
        } else if (options.confirmations() == 0) {
            caveats.add("Replication is asynchronous: a failover may lose what was acknowledged just before it.");
        } else {
            caveats.add("What is acknowledged was confirmed by " + options.confirmations()
                    + " of the replicas, in their memory: a failover to another one, or a crash of all, may lose it.");
        }
        servers.forEach(info -> addMissingReplicas(info, caveats));
        return List.copyOf(caveats);
    }

    private void addMissingReplicas(Map<String, String> info, List<String> caveats) {
        int replicas = Integer.parseInt(info.getOrDefault("connected_slaves", "0"));
        if (replicas < options.confirmations()) {
            caveats.add("confirmedBy(" + options.confirmations() + ") asks for more replicas than the " + replicas
                    + " that are connected: until there are enough, nothing is granted and nothing confirmed.");
        }
    }

    private Set<String> evictions() {
        Set<String> policies = new TreeSet<>();
        for (Map<String, String> info : servers) {
            policies.add(info.getOrDefault("maxmemory_policy", "not told by INFO"));
        }
        policies.remove("noeviction");
        return policies;
    }

    private static boolean mayFailOver(Map<String, String> info) {
        return !"0".equals(info.getOrDefault("connected_slaves", "0")) || !"master".equals(info.get("role"));
    }
}
