// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/** The result of a storm: the clients' counters, and the number of charges of each order in the ledger. */
public record StormResult(StormCounters tally, Map<String, Long> charges, double seconds, boolean stopped) {

    /** One charge for every order, and the same answer to every request; unless it was stopped. */
    public boolean isAsPromised() {
        return doubleCharges() == 0
                && tally.differentAnswers.sum() == 0
                && (stopped || (charges.size() == tally.requests.sum() && tally.unanswered.sum() == 0));
    }

    private long executions() {
        return charges.values().stream().mapToLong(Long::longValue).sum();
    }

    private long doubleCharges() {
        return executions() - charges.size();
    }

    private long overchargedOrders() {
        return charges.values().stream().filter(times -> times > 1).count();
    }

    public void print(PrintWriter out) {
        row(out, "requests", tally.requests.sum(), "orders that clients paid");
        row(
                out,
                "deliveries",
                tally.deliveries.sum(),
                "requests that were sent, with retries, double clicks and late copies");
        row(out, "executions", executions(), "charges in the ledger");
        row(out, "replays", tally.replays.sum(), "retries that got the first answer");
        row(out, "conflicts", tally.conflicts.sum(), "other amounts under the same key, refused");
        row(out, "busy", tally.busy.sum(), "duplicates refused while the first was in flight");
        row(out, "unknown", tally.unknown.sum(), "requests that the service did not answer; the next retry asks it");
        row(out, "lost answers", tally.lostAnswers.sum(), "connections broken before the answer");
        row(out, "timeouts", tally.timeouts.sum(), "clients that stopped waiting");
        row(out, "failures", tally.failures.sum(), "the bank was down, or hung up");
        row(out, "double charges", doubleCharges(), "excess charges, on " + overchargedOrders() + " orders");
        out.printf(
                Locale.ROOT,
                "%-16s%14s   milliseconds to an answer; %,.0f answers a second%n%n",
                "p50 / p99",
                String.format(Locale.ROOT, "%.1f / %.1f", tally.spans.millis(0.5), tally.spans.millis(0.99)),
                (tally.deliveries.sum() - tally.lostAnswers.sum() - tally.timeouts.sum()) / seconds);
        out.println(verdict());
        out.flush();
    }

    private String verdict() {
        if (isAsPromised()) {
            return "No order was charged twice, and every retry got the first answer.";
        }
        return String.format(
                Locale.ROOT,
                "%,d orders were charged more than once, %,d deliveries got another answer than the first, %,d orders"
                        + " got none.",
                overchargedOrders(),
                tally.differentAnswers.sum(),
                tally.unanswered.sum());
    }

    private static void row(PrintWriter out, String name, long count, String meaning) {
        out.printf(Locale.ROOT, "%-16s%,14d   %s%n", name, count, meaning);
    }
}
