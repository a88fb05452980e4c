// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Event;
import io.semel.LeaseLost;
import io.semel.Outcome;
import io.semel.OutcomeUnknown;
import io.semel.Rejection;
import io.semel.Retention;
import io.semel.simulator.World;
import io.semel.store.Claim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Judges what calls are told. */
final class Answers {

    private final World world;
    private final Book book;
    private final Rules rules;

    Answers(World world, Book book, Rules rules) {
        this.world = world;
        this.book = book;
        this.rules = rules;
    }

    /** A call came to its outcome; true if it is one for good. */
    boolean told(Asking asking, Outcome<String> outcome, Ears ears) {
        world.tell(asking.call.key().id() + " -> " + outcome);
        judgeExecution(asking, ears);
        if (outcome instanceof Outcome.Done<String> done) {
            done(asking, done);
            return true;
        }
        if (outcome instanceof Outcome.Refused<String> refused) {
            refused(asking, refused.reason());
            return true;
        }
        world.tally().count("outcome Busy");
        honest(asking, life -> life.grants.stream().anyMatch(grant -> grant.claimant != asking), "Busy");
        return false;
    }

    /** A call threw; true if that is an answer for good. */
    boolean threw(Asking asking, Throwable thrown, Ears ears) {
        // Not its message, which may hold a fence, and fences differ from run to run of a seed.
        world.tell(asking.call.key().id() + " -> throws " + thrown.getClass().getSimpleName());
        judgeExecution(asking, ears);
        Execution execution = asking.execution;
        Throwable own = execution == null ? null : execution.thrown;
        boolean unhidden = own == null || own == thrown || isUnrecorded(own, thrown);
        rules.check(unhidden, Invariant.USER_EXCEPTION, asking.call, thrown + " hides " + own);
        if (thrown instanceof Rejection rejection) {
            return rejected(asking, rejection);
        }
        world.tally().count("thrown " + thrown.getClass().getSimpleName());
        if (thrown instanceof CodecFailed && execution != null && execution.answer != null) {
            fresh(execution, execution.answer);
            return true;
        }
        if (thrown instanceof LeaseLost) {
            boolean lost = asking.grants.stream().anyMatch(this::isLost);
            rules.check(lost, Invariant.HONEST, asking.call, "its lease is not lost");
        } else if (own != thrown && !isExplained(asking, thrown)) {
            rules.check(false, Invariant.HONEST, asking.call, "nothing explains " + thrown);
        }
        return false;
    }

    private void done(Asking asking, Outcome.Done<String> done) {
        Execution execution = asking.execution;
        world.tally().count(done.replayed() ? "outcome Done, replayed" : "outcome Done");
        if (done.replayed()) {
            rules.check(execution == null, Invariant.ONE_FRESH, asking.call, "work ran, and yet it is called a replay");
            if (asking.lastHeard instanceof Claim.Held) {
                world.tally().count("outcome Done, shared in one node");
            }
            replayed(asking, Stored.value(done.value()));
        } else if (execution == null || execution.answer == null) {
            rules.check(false, Invariant.GRANTED, asking.call, "it is called done, and no work ran to its end");
        } else {
            fresh(execution, execution.answer);
        }
    }

    private boolean rejected(Asking asking, Rejection rejection) {
        world.tally().count(rejection.replayed() ? "outcome Rejection, replayed" : "outcome Rejection");
        Execution execution = asking.execution;
        if (rejection.replayed()) {
            replayed(asking, Stored.rejected(rejection.code(), rejection.detail()));
        } else if (execution == null || execution.answer == null) {
            rules.check(false, Invariant.GRANTED, asking.call, "it is rejected, and no work rejected it");
        } else {
            fresh(execution, execution.answer);
        }
        return true;
    }

    /** A rejection is an answer, and gives way to the reason why it is not the one that stands. */
    private static boolean isUnrecorded(Throwable own, Throwable thrown) {
        return own instanceof Rejection && List.of(thrown.getSuppressed()).contains(own);
    }

    private void fresh(Execution execution, Stored answer) {
        Life life = lifeRecordedBy(execution, answer);
        rules.check(life.has(answer), Invariant.ZOMBIE, execution, answer + " is told, and not recorded");
        boolean superseded = life.answers.stream().anyMatch(it -> it.by() == execution.grant && it.superseded());
        rules.check(
                !superseded, Invariant.ZOMBIE, execution, answer + " is told, though somebody else took over before");
        boolean mayRepeat = life.plan.downstream() == Downstream.KEYED;
        life.fresh++;
        rules.check(life.fresh == 1 || mayRepeat, Invariant.ONE_FRESH, execution, "it is not the first to be told so");
        given(life, answer);
    }

    /**
     * Usually its own. But a claim that arrives late may grant the key to an old holder once more, in another life; and
     * whoever cannot confirm its own record may find an equal one.
     */
    private Life lifeRecordedBy(Execution execution, Stored answer) {
        List<Life> lives = book.account(execution.asking.call.key()).lives;
        return lives.stream()
                .filter(life -> life.answers.stream().anyMatch(it -> isBy(execution, it)))
                .findFirst()
                .or(() -> lives.stream()
                        .filter(life -> life.overlaps(execution.asking.from, world.now()) && life.has(answer))
                        .findFirst())
                .orElse(execution.life());
    }

    private static boolean isBy(Execution execution, Answer answer) {
        Grant by = answer.by();
        return by != null && by.holder.equals(execution.grant.holder);
    }

    private void replayed(Asking asking, Stored answer) {
        List<Life> lives = book.account(asking.call.key()).lives.stream()
                .filter(life -> life.overlaps(asking.from, world.now()) && life.has(answer))
                .toList();
        Optional<Life> own = lives.stream()
                .filter(life -> life.fingerprint.equals(asking.call.fingerprint()))
                .findFirst();
        rules.check(
                !lives.isEmpty(), Invariant.ONE_ANSWER, asking.call, answer + " is replayed, and was never recorded");
        rules.check(own.isPresent(), Invariant.FINGERPRINT, asking.call, answer + " is another fingerprint's");
        own.ifPresent(life -> given(life, answer));
    }

    private void given(Life life, Stored answer) {
        if (life.given == null) {
            life.given = answer;
        }
        rules.check(life.given.equals(answer), Invariant.ONE_ANSWER, life, answer + " is given after " + life.given);
    }

    private void refused(Asking asking, Outcome.Reason reason) {
        world.tally().count("outcome Refused " + reason);
        Account account = book.account(asking.call.key());
        switch (reason) {
            case MISMATCH -> honest(asking, life -> !life.fingerprint.equals(asking.call.fingerprint()), reason);
            case GONE -> honest(asking, life -> account.isPastRetention(life) || isOutdated(asking), reason);
            case UNKNOWN -> honest(asking, life -> asking.toldStillUnknown || life.has(Stored.Kind.UNKNOWN), reason);
            case NOT_RETAINED ->
                honest(asking, life -> asking.decodingFails || life.has(Stored.Kind.NOT_RETAINED), reason);
            case STALE, SESSION_UNKNOWN, SESSION_EXPIRED, OUT_OF_ORDER, WINDOW_FULL ->
                honest(asking, life -> false, reason);
        }
    }

    private void honest(Asking asking, Predicate<Life> cause, Object told) {
        boolean found = book.account(asking.call.key()).lives.stream()
                .anyMatch(life -> life.overlaps(asking.from, world.now()) && cause.test(life));
        rules.check(found || isOutdated(asking), Invariant.HONEST, asking.call, "nothing explains " + told);
    }

    private boolean isOutdated(Asking asking) {
        Instant firstSent = asking.firstSent();
        Retention retention = asking.plan.retention();
        return firstSent != null
                && !retention.retention().equals(Retention.FOREVER)
                && firstSent
                        .plus(retention.retention())
                        .isBefore(world.storeClock().instant());
    }

    /** Somebody took over, or resolved it, or its own answer is recorded and too old to be found. */
    private boolean isLost(Grant grant) {
        Life life = grant.life;
        Answer answer = life.answer();
        boolean byAnother = answer != null && answer.by() != grant;
        return byAnother
                || !grant.isLast()
                || life.endedAt <= world.now()
                || book.account(life.plan.key()).isPastRetention(life);
    }

    private boolean isExplained(Asking asking, Throwable thrown) {
        boolean simulated = String.valueOf(thrown.getMessage()).startsWith("simulated");
        boolean troubled = asking.task.troubledUntil() >= asking.from;
        return simulated || (thrown instanceof OutcomeUnknown && troubled);
    }

    private void judgeExecution(Asking asking, Ears ears) {
        for (Grant grant : asking.grants) {
            boolean ended = ears.heard(
                    grant,
                    Event.Executed.class,
                    Event.Released.class,
                    Event.LostLease.class,
                    Event.SettleFailed.class,
                    Event.Unknown.class);
            rules.check(
                    grant.execution == null || ended,
                    Invariant.LOUD,
                    grant,
                    "nothing was told about how its work ended");
            rules.check(
                    grant.isFirst() || isOutdated(asking) || ears.heard(grant, Event.Abandoned.class),
                    Invariant.LOUD,
                    grant,
                    "nobody was told that an earlier holder fell silent");
        }
    }
}
