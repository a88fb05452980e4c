// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import java.io.PrintStream;
import java.util.Locale;

/** How the storm ended. */
record Result(Version version, Tally tally, Ledger ledger, double seconds) {

    /** One charge for every order, one answer for every order, and nobody left without. */
    boolean asPromised() {
        return ledger.doubleCharges() == 0
                && ledger.chargedOrders() == tally.requests.sum()
                && tally.differentAnswers.sum() == 0
                && tally.unanswered.sum() == 0;
    }

    /** Only Semel has promised anything. */
    int exitCode() {
        return version == Version.FIX && !asPromised() ? 1 : 0;
    }

    void print(PrintStream out) {
        row(out, "requests", tally.requests.sum(), "orders that a client wants to be charged, once");
        row(out, "deliveries", tally.deliveries.sum(), "times that one arrived: first, again, doubled or late");
        row(out, "lost requests", tally.lostRequests.sum(), "sent, and never arrived; their clients tried again");
        row(out, "lost answers", tally.lostAnswers.sum(), "charged, and never heard of; their clients tried again");
        row(out, "executions", ledger.executions(), "charges in the ledger");
        row(out, "failures", tally.failures.sum(), "refused by the bank before anything was charged");
        row(out, "replays", tally.replays.sum(), "deliveries that got the first answer again");
        row(out, "busy", tally.busy.sum(), "told to come again, while the first was at work");
        row(out, "conflicts", tally.conflicts.sum(), "refused: the same order with another amount");
        row(
                out,
                "different answers",
                tally.differentAnswers.sum(),
                "deliveries that got another answer than the first");
        row(
                out,
                "double charges",
                ledger.doubleCharges(),
                "charges too many, on " + orders(ledger.overchargedOrders()));
        out.printf(
                Locale.ROOT,
                "%-20s%12s   milliseconds until a delivery was answered%n",
                "p50 / p99",
                String.format(Locale.ROOT, "%.1f / %.1f", tally.millis(0.5), tally.millis(0.99)));
        out.println();
        out.println(verdict());
    }

    private String verdict() {
        if (asPromised()) {
            return "Every order was charged once, and every retry got the first answer.";
        }
        String wrong = String.format(
                Locale.ROOT,
                "%s charged more than once, and %,d deliveries got another answer than the first.",
                orders(ledger.overchargedOrders()) + (ledger.overchargedOrders() == 1 ? " was" : " were"),
                tally.differentAnswers.sum());
        return version == Version.FIX
                ? wrong + " Semel did not keep its promise: please report this."
                : wrong + System.lineSeparator() + "The same storm with Semel: ./semel demo";
    }

    private static String orders(int count) {
        return String.format(Locale.ROOT, count == 1 ? "%,d order" : "%,d orders", count);
    }

    private static void row(PrintStream out, String name, long count, String meaning) {
        out.printf(Locale.ROOT, "%-20s%,12d   %s%n", name, count, meaning);
    }
}
