// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.testkit.fault.CrashPoint;
import org.jspecify.annotations.Nullable;

/** One way in which a request can arrive more than once. */
public enum Way {
    ONE_AFTER_THE_OTHER("sent twice, one after the other", null),
    AT_ONCE("sent twice at once, to one process", null),
    AT_ONCE_TO_TWO_PROCESSES("sent twice at once, to two processes", null),
    STORE_DOWN("sent while the store is down, then again", null),
    CRASH_BEFORE_CLAIM(CrashPoint.BEFORE_CLAIM),
    CRASH_AFTER_CLAIM(CrashPoint.AFTER_CLAIM),
    CRASH_BEFORE_COMPLETE(CrashPoint.BEFORE_COMPLETE),
    CRASH_AFTER_COMPLETE(CrashPoint.AFTER_COMPLETE);

    private final String sentence;
    private final @Nullable CrashPoint crash;

    Way(CrashPoint crash) {
        this("sent again after a crash at " + crash + " (" + crash.situation() + ")", crash);
    }

    Way(String sentence, @Nullable CrashPoint crash) {
        this.sentence = sentence;
        this.crash = crash;
    }

    /** What is done, for people. */
    @Override
    public String toString() {
        return sentence;
    }

    /** Where the process dies at the first delivery; null where it does not. */
    @Nullable
    CrashPoint crash() {
        return crash;
    }

    boolean atOnce() {
        return this == AT_ONCE || this == AT_ONCE_TO_TWO_PROCESSES;
    }

    /** Whether it leaves a claim behind that nobody ends, so that the operation's policy has to decide. */
    boolean abandons() {
        return this == CRASH_AFTER_CLAIM || this == CRASH_BEFORE_COMPLETE;
    }
}
