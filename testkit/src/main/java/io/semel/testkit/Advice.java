// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.Key;
import io.semel.testkit.fault.CrashPoint;
import java.util.List;
import java.util.stream.Collectors;

/** Says why a service failed and what to do about it, as far as what happened tells. */
final class Advice {

    static String neverReached(CrashPoint point, Story story) {
        return String.format(
                "The process was to crash at %s, but never got there: %s.%n%s",
                point,
                story.timesAsked() == 0
                        ? "the store was never asked. Is the service's engine built on sender.store()?"
                        : "delivery 1 ended before. Does its work end by returning? Throwing forgets, and records"
                                + " nothing",
                story);
    }

    static String tooMany(Way way, Story story) {
        if (way == Way.STORE_DOWN) {
            return "The work ran though the store could not be asked (S9). Let the store's exception reach the client,"
                    + " who comes again; do not run the work without the engine.";
        }
        if (story.timesAsked() == 0) {
            return "The store was never asked. Run the work through an engine built on sender.store().";
        }
        List<Key> keys = story.unstableKeys();
        if (!keys.isEmpty()) {
            return "Every delivery claimed a key of its own: " + listed(keys)
                    + ". Take the key from the request, so that it is the same whenever it is sent again.";
        }
        return story.grantedAfterCrash() ? repeated() : tooManyGrants(story);
    }

    private static String repeated() {
        return "Nobody can know whether the attempt that crashed had its effect, and the operation's policy, RERUN,"
                + " ran it again. Either pass attempt.derive(\"…\") downstream as its idempotency key, so that the repeat"
                + " is told from a second wish; or choose whenAbandoned(refuse()) or whenAbandoned(reconcile(…)); or use a"
                + " store joined to the transaction of the effect, which a crash rolls back. Where a repeat is harmless,"
                + " say so with sender.afterCrash(REPEATED).";
    }

    private static String tooManyGrants(Story story) {
        return story.timesGranted() > 1
                ? "The key was free again for a retry, because the work threw after its effect: throwing forgets."
                        + " Return an answer once the effect has happened, or throw a Rejection, which is recorded."
                : "The key was granted once, so the effect lies outside of the work. Move it into what engine.run(…)"
                        + " is given.";
    }

    static String tooFew(Way way, Story story, long count) {
        if (count > 0) {
            return "Some effect is missing after all deliveries were answered.";
        }
        String counted = "No effect was counted. Call sender.effects().add(…) where it happens, or count your own with"
                + " hasEffects(1, ledger::charges).";
        return way == Way.STORE_DOWN || story.timesAsked() == 0
                ? counted
                : counted
                        + " If it is counted, then the work was not run, although the client was answered as if it had"
                        + " been.";
    }

    static String differing(Way way) {
        String advice =
                "A retry has to get the first answer: answer with what engine.run(…) gives, which is what the work"
                        + " returned, and not with anything made outside of it, such as a time or a new id.";
        return way.atOnce()
                ? advice
                        + " If one of these means \"come again later\", say so with sender.busyWhen(…), or let"
                        + " duplicates wait with Operation.waitWhenBusy(…)."
                : advice;
    }

    static String stuck() {
        return "Nobody is at it any more, so some attempt was begun and never ended."
                + " See that every Begun.Started is completed, rejected, held or released.";
    }

    static String refusedAsUnknown() {
        return "The operation refuses calls that were abandoned until somebody resolves them. If that is meant, say so"
                + " with sender.afterCrash(REFUSED) or leave that out; else choose whenAbandoned(rerun()) or"
                + " whenAbandoned(reconcile(…)).";
    }

    static String notRefused() {
        return "The test expects a refusal as UNKNOWN, because nobody can know whether the attempt that crashed had"
                + " its effect. Choose whenAbandoned(refuse()) for the operation; if the refusal has another shape here,"
                + " describe it with sender.unknownWhen(…).";
    }

    static String refused(Story story) {
        Key key = story.mismatchedKey();
        return key == null
                ? "A retry has to be answered while the answer is retained. See the operation's retention and"
                        + " keepAnswersUpTo."
                : "The key " + key
                        + " was claimed with different fingerprints. Make the fingerprint of what the client sends"
                        + " and nothing else: no time, no random number, no order of a map.";
    }

    private static String listed(List<Key> keys) {
        return keys.stream().map(Key::toString).collect(Collectors.joining(", "));
    }

    private Advice() {}
}
