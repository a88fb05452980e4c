// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.testkit.fault.CrashPoint;
import io.semel.testkit.fault.FlakyStore;
import io.semel.testkit.fault.Witness;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Sends one request in one way. */
final class Delivering<S, T extends @Nullable Object> {

    private final Sender sender;
    private final FlakyStore store;
    private final Callable<S> starting;
    private final Sender.Request<? super S, T> request;
    private final Story story = new Story();

    Delivering(Sender sender, Callable<S> starting, Sender.Request<? super S, T> request) {
        this.sender = sender;
        this.store = sender.store();
        this.starting = starting;
        this.request = request;
    }

    Sent<T> run() {
        int before = sender.effects().count();
        store.watch(story);
        sender.effects().tell(story, Gate.opened());
        try {
            return new Sent<>(sender, story, answers(sender.way()), before);
        } finally {
            sender.effects().tell(story, Gate.opened());
            store.watch(Witness.NOBODY);
            store.heal();
            store.restart();
        }
    }

    private List<Answer<T>> answers(Way way) {
        CrashPoint crash = way.crash();
        if (crash != null) {
            return afterCrash(crash);
        }
        S service = start();
        return switch (way) {
            case AT_ONCE -> atOnce(service, service);
            case AT_ONCE_TO_TWO_PROCESSES -> atOnce(service, start());
            case STORE_DOWN -> afterStoreWasDown(service);
            default -> List.of(counted(1, service), counted(2, service));
        };
    }

    private List<Answer<T>> atOnce(S one, S other) {
        Overlap<Answer<T>> overlap = new Overlap<>(story);
        store.every(CrashPoint.AFTER_CLAIM).runs(() -> overlap.atClaim().pass());
        sender.effects().tell(story, overlap.atEffect());
        List<Answer<T>> answers = overlap.run(() -> deliver(1, one), () -> deliver(2, other));
        return List.of(comeAgain(answers.get(0), one), comeAgain(answers.get(1), other));
    }

    /** Nothing is expected of the first answer but that nothing was done for it. */
    private List<Answer<T>> afterStoreWasDown(S service) {
        store.down();
        story.add("the store went down");
        deliver(1, service);
        store.up();
        story.add("the store came back");
        return List.of(counted(2, service), counted(3, service));
    }

    private List<Answer<T>> afterCrash(CrashPoint point) {
        store.next(point).crashes();
        deliver(1, start());
        if (!store.crashed()) {
            throw new AssertionError(Advice.neverReached(point, story));
        }
        store.restart();
        store.letLeasesRunOut();
        story.add("another process started, and the leases of the crashed one ran out");
        S service = start();
        return List.of(counted(2, service), counted(3, service));
    }

    private S start() {
        try {
            return starting.call();
        } catch (Exception e) {
            throw new AssertionError("The service did not start: " + e, e);
        }
    }

    private Answer<T> comeAgain(Answer<T> answer, S service) {
        if (!sender.signs().isBusy(answer)) {
            return unlessError(answer);
        }
        story.add("delivery " + answer.delivery() + " comes again, as it was told to");
        return counted(answer.delivery(), service);
    }

    private Answer<T> counted(int number, S service) {
        return unlessError(deliver(number, service));
    }

    /** A failed assertion of the test's own is no answer that could be equal to another. */
    private Answer<T> unlessError(Answer<T> answer) {
        if (answer.thrown() instanceof Error error) {
            error.addSuppressed(new AssertionError("It was thrown at delivery " + answer.delivery() + ". " + story));
            throw error;
        }
        return answer;
    }

    private Answer<T> deliver(int number, S service) {
        story.tellAs("delivery " + number);
        try {
            story.add("sent");
            Answer<T> answer = ask(number, service);
            story.add(store.crashed() ? "its client never heard of it" : "was answered " + answer);
            return answer;
        } finally {
            story.tellAs(null);
        }
    }

    private Answer<T> ask(int number, S service) {
        try {
            return new Answer<>(number, request.send(service), null);
        } catch (Throwable thrown) {
            if (thrown instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return new Answer<>(number, null, thrown);
        }
    }
}
