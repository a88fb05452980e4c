// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A request that was sent more than once, and what can be asserted about it. */
public final class Sent<T extends @Nullable Object> {

    private final Sender sender;
    private final Way way;
    private final Story story;
    private final List<Answer<T>> answers;
    private final int effectsBefore;
    private boolean asserted;

    Sent(Sender sender, Story story, List<Answer<T>> answers, int effectsBefore) {
        this.sender = sender;
        this.way = sender.way();
        this.story = story;
        this.answers = answers;
        this.effectsBefore = effectsBefore;
    }

    /** However often it was sent, its effect landed once in {@link Sender#effects}. */
    public Sent<T> hasOneEffect() {
        return hasEffects(1);
    }

    /** However often it was sent, so many effects landed in {@link Sender#effects}: as many as one delivery has. */
    public Sent<T> hasEffects(long expected) {
        return hasEffects(expected, () -> sender.effects().count() - effectsBefore);
    }

    /** However often it was sent, there are so many effects, counted by the test: as many as one delivery has. */
    public Sent<T> hasEffects(long expected, LongSupplier counting) {
        checkAnswered();
        long count = counting.getAsLong();
        long least = answers.stream().anyMatch(sender.signs()::isUnknown) ? 0 : expected;
        long most = mayBeRepeated() ? 2 * expected : expected;
        if (count < least || count > most) {
            String wanted = least == most ? "" + most : least + " to " + most;
            String headline = count + (count == 1 ? " effect" : " effects") + " instead of " + wanted;
            throw failure(headline, count > most ? Advice.tooMany(way, story) : Advice.tooFew(way, story, count));
        }
        return this;
    }

    /** Every delivery that was answered got an equal answer; whether it was replayed is no part of it. */
    public Sent<T> answersEqually() {
        return answersEqually(answer -> answer);
    }

    /** Every delivery that was answered got an answer equal in this part, such as the body of a response. */
    public Sent<T> answersEqually(Function<? super T, ?> part) {
        checkAnswered();
        Answer<T> first = answers.get(0);
        Answer<T> last = answers.get(answers.size() - 1);
        if (!first.equals(last, part)) {
            String headline = "the answers differ: delivery " + first.delivery() + " got " + first + ", delivery "
                    + last.delivery() + " got " + last;
            throw failure(headline, Advice.differing(way));
        }
        return this;
    }

    /** What the last delivery got. */
    public T answer() {
        asserted = true;
        return answers.get(answers.size() - 1).orThrow();
    }

    boolean asserted() {
        return asserted;
    }

    private void checkAnswered() {
        asserted = true;
        for (Answer<T> each : answers) {
            if (sender.signs().isBusy(each)) {
                throw failure("delivery " + each.delivery() + " is still told to come again", Advice.stuck());
            }
            boolean unknown = sender.signs().isUnknown(each);
            if (unknown ? !mayBeRefused() : mustBeRefused()) {
                throw failure(
                        "delivery " + each.delivery() + " got " + each,
                        unknown ? Advice.refusedAsUnknown() : Advice.notRefused());
            }
            if (each.isRefused() && !unknown) {
                throw failure("delivery " + each.delivery() + " got " + each, Advice.refused(story));
            }
        }
    }

    private boolean mayBeRefused() {
        return mustBeRefused() || (way.abandons() && sender.afterCrash() == AfterCrash.AT_MOST_ONCE);
    }

    private boolean mustBeRefused() {
        return way.abandons() && sender.afterCrash() == AfterCrash.REFUSED;
    }

    private boolean mayBeRepeated() {
        return way.abandons() && sender.afterCrash() == AfterCrash.REPEATED;
    }

    private AssertionError failure(String headline, String advice) {
        return new AssertionError(String.format("A request was %s: %s.%n%s%n%s", way, headline, advice, story));
    }
}
