// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.fault.Witness;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What happened while a request was sent in some way, in order: told to people when a test fails, and read for reasons. */
final class Story implements Witness {

    private final List<String> lines = new ArrayList<>();
    private final List<Claimed> claims = new ArrayList<>();
    private final Map<Key, Integer> asked = new LinkedHashMap<>();
    /** Unknown on threads of a server, which serve whoever comes. */
    private final ThreadLocal<@Nullable String> teller = new ThreadLocal<>();

    /** Whatever this thread does from now on is told as done by so-and-so. */
    void tellAs(@Nullable String who) {
        teller.set(who);
    }

    synchronized void add(String line) {
        String who = teller.get();
        lines.add(who == null ? line : who + ": " + line);
    }

    @Override
    public synchronized void asked(Call call) {
        asked.merge(call.key(), 1, Integer::sum);
    }

    @Override
    public synchronized void claimed(Call call, Claim claim) {
        claims.add(new Claimed(call, claim));
        add("claimed " + call.key() + " and was told " + named(claim));
    }

    @Override
    public synchronized void settled(Key key, Settlement settlement, boolean applied) {
        if (!(settlement instanceof Settlement.Renew)) {
            String what = settlement instanceof Settlement.Complete ? "recorded the answer of " : "released ";
            add(what + key + (applied ? "" : ", which was refused: another attempt has it"));
        }
    }

    @Override
    public synchronized void crashed(String when) {
        add(Character.toLowerCase(when.charAt(0)) + when.substring(1));
    }

    synchronized int timesAsked() {
        return asked.values().stream().mapToInt(Integer::intValue).sum();
    }

    synchronized int timesGranted() {
        return (int) claims.stream().filter(Claimed::granted).count();
    }

    synchronized boolean grantedAfterCrash() {
        return claims.stream().anyMatch(each -> each.claim instanceof Claim.Granted granted && granted.abandoned());
    }

    /** The keys, if there are several and none of them was asked for twice, as a stable key would have been. */
    synchronized List<Key> unstableKeys() {
        boolean unstable = asked.size() > 1 && asked.values().stream().allMatch(times -> times == 1);
        return unstable ? List.copyOf(asked.keySet()) : List.of();
    }

    /** A key that was claimed with several fingerprints. */
    synchronized @Nullable Key mismatchedKey() {
        Map<Key, Set<Fingerprint>> prints = claims.stream()
                .collect(Collectors.groupingBy(
                        each -> each.call.key(),
                        Collectors.mapping(each -> each.call.fingerprint(), Collectors.toSet())));
        for (Map.Entry<Key, Set<Fingerprint>> each : prints.entrySet()) {
            if (each.getValue().size() > 1) {
                return each.getKey();
            }
        }
        return null;
    }

    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder("What happened:");
        for (int i = 0; i < lines.size(); i++) {
            text.append(String.format(Locale.ROOT, "%n%4d. %s", i + 1, lines.get(i)));
        }
        return text.toString();
    }

    private static String named(Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            String silent = granted.abandoned() ? ", as an earlier holder fell silent" : "";
            return "Granted (fence " + granted.fence() + silent + ")";
        }
        return claim instanceof Claim.Held ? "Held" : "Settled";
    }

    private record Claimed(Call call, Claim claim) {

        boolean granted() {
            return claim instanceof Claim.Granted;
        }
    }
}
