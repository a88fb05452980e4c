// SPDX-License-Identifier: Apache-2.0
package io.semel;

import io.semel.internal.frame.AnswerOrigin;
import io.semel.time.KeyTime;
import java.time.Duration;
import java.util.function.Consumer;

/** The settings of one kind of call; immutable, each method gives a changed copy. */
public final class Operation {

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);
    private static final Duration LONGEST_LEASE = Duration.ofDays(1);

    // Not final, so that a copy can differ in one field; written only before anyone else sees the copy.
    private String name;
    private Level level = Level.BEST_EFFORT;
    private Duration lease = Duration.ofSeconds(30);
    private Duration renewFor = Duration.ofDays(1);
    private Retention retention = Retention.DEFAULT;
    private WhenAbandoned whenAbandoned = WhenAbandoned.refuse();
    private Duration busyBudget = Duration.ZERO;
    private Duration retryAfter = Duration.ofSeconds(1);
    private int maxAnswer = 1 << 20;
    private int compressAbove = Integer.MAX_VALUE;
    private KeyTime keyTime = KeyTime.NONE;
    private Duration skew = Duration.ofMinutes(5);
    private String version = "";
    private OtherVersions otherVersions = OtherVersions.REPLAY;

    private Operation(String name) {
        this.name = name;
    }

    /**
     * The default settings under a name, which events and metrics carry: any level, a lease of 30 s that is
     * renewed for a day, a day of retention and one of remembrance, abandoned calls refused as UNKNOWN, duplicates told Busy at once, answers up to 1 MiB.
     */
    public static Operation named(String name) {
        return new Operation(name);
    }

    /** Refuses, at construction of the engine, a store that cannot give this level. */
    public Operation demand(Level demanded) {
        return copy(it -> it.level = demanded);
    }

    /** How long a silent holder is believed; a heartbeat renews it every third of that. */
    public Operation lease(Duration span) {
        if (span.compareTo(SHORTEST_LEASE) < 0 || span.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "A lease is from " + SHORTEST_LEASE + " to " + LONGEST_LEASE + ", not " + span + ".");
        }
        return copy(it -> it.lease = span);
    }

    /**
     * How long the heartbeat renews the lease of an attempt, from its beginning or from when its work last called
     * {@link Attempt#renew}: a day unless set, and one lease at least. Then the attempt is taken for forgotten: its lease runs out, as after a
     * crash, and the listener is told. Longer than any work takes; it is for attempts that nobody ends.
     */
    public Operation renewFor(Duration span) {
        checkSpan("The time for which leases are renewed", span);
        return copy(it -> it.renewFor = span);
    }

    /** How long answers are replayed, from completion, and how much longer their keys are refused as GONE. */
    public Operation retention(Duration replayed, Duration remembered) {
        Retention both = Retention.of(replayed, remembered);
        return copy(it -> it.retention = both);
    }

    /** What becomes of a call whose earlier holder fell silent; by default it is refused as UNKNOWN until resolved. */
    public Operation whenAbandoned(WhenAbandoned policy) {
        return copy(it -> it.whenAbandoned = policy);
    }

    /**
     * How long a duplicate waits for the running call before it is told Busy; zero tells it at once. Within a transaction of
     * the caller's, where each who waits keeps a connection, four may wait at a time; others are told Busy at once.
     */
    public Operation waitWhenBusy(Duration budget) {
        checkSpan("A budget for waiting", budget);
        return copy(it -> it.busyBudget = budget);
    }

    /** What a Busy outcome suggests, unless the lease runs out sooner. */
    public Operation retryAfter(Duration pause) {
        checkSpan("A pause before a retry", pause);
        return copy(it -> it.retryAfter = pause);
    }

    /** The largest answer to keep; a larger one goes to its caller and leaves a tombstone, NOT_RETAINED, for retries. */
    public Operation keepAnswersUpTo(int bytes) {
        checkSize("The largest answer to keep", bytes);
        return copy(it -> it.maxAnswer = bytes);
    }

    /** Compresses answers larger than this. */
    public Operation compressAbove(int bytes) {
        checkSize("The size to compress above", bytes);
        return copy(it -> it.compressAbove = bytes);
    }

    /**
     * Which ids carry their own time. One that is older than retention and unknown is refused as GONE, one from further
     * in the future than the skew as malformed. Not for ids of things that live longer than retention.
     */
    public Operation keyTime(KeyTime kind, Duration allowedSkew) {
        checkSpan("A skew", allowedSkew);
        return copy(it -> {
            it.keyTime = kind;
            it.skew = allowedSkew;
        });
    }

    /**
     * The version of the application, which is stored with every answer from now on; empty unless set. At most 64 printable
     * ASCII characters.
     */
    public Operation version(String application) {
        AnswerOrigin.checkVersion(application);
        return copy(it -> it.version = application);
    }

    /** What becomes of answers that another {@link #version} of the application wrote; they are replayed unless set. */
    public Operation answersOfOtherVersions(OtherVersions policy) {
        return copy(it -> it.otherVersions = policy);
    }

    public String name() {
        return name;
    }

    public Level level() {
        return level;
    }

    public Duration lease() {
        return lease;
    }

    public Duration renewFor() {
        return renewFor;
    }

    public Retention retention() {
        return retention;
    }

    public WhenAbandoned whenAbandoned() {
        return whenAbandoned;
    }

    public Duration waitWhenBusy() {
        return busyBudget;
    }

    public Duration retryAfter() {
        return retryAfter;
    }

    public int maxAnswer() {
        return maxAnswer;
    }

    public int compressAbove() {
        return compressAbove;
    }

    public String version() {
        return version;
    }

    public OtherVersions answersOfOtherVersions() {
        return otherVersions;
    }

    public KeyTime keyTime() {
        return keyTime;
    }

    public Duration skew() {
        return skew;
    }

    private Operation copy(Consumer<Operation> change) {
        Operation copy = new Operation(name);
        copy.level = level;
        copy.lease = lease;
        copy.renewFor = renewFor;
        copy.retention = retention;
        copy.whenAbandoned = whenAbandoned;
        copy.busyBudget = busyBudget;
        copy.retryAfter = retryAfter;
        copy.maxAnswer = maxAnswer;
        copy.compressAbove = compressAbove;
        copy.keyTime = keyTime;
        copy.skew = skew;
        copy.version = version;
        copy.otherVersions = otherVersions;
        change.accept(copy);
        return copy;
    }

    private static void checkSpan(String what, Duration span) {
        if (span.isNegative() || span.compareTo(Retention.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    what + " is from zero to " + Retention.LONGEST.toDays() + " days, not " + span + ".");
        }
    }

    private static void checkSize(String what, int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(what + " is a number of bytes from zero, not " + bytes + ".");
        }
    }

    /** What an operation does with answers that another version of the application wrote. */
    public enum OtherVersions {
        /** Replays them; the codec is told the version and may render them anew. */
        REPLAY,
        /** Refuses them as GONE: the call was done, and its answer is not given any more. */
        GONE
    }
}
