// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something the engine did or found; never carries an answer. */
public sealed interface Event {

    Key key();

    /** The name of the operation. */
    String operation();

    /** Work ran and its answer, or its rejection, is recorded. */
    record Executed(
            String operation,
            Key key,
            long fence,
            boolean rejected,
            Duration claiming,
            Duration working,
            Duration settling)
            implements Event {}

    /** A retry got the first answer; where the first call was still running, after waiting this long for it. */
    record Replayed(String operation, Key key, Duration claiming, Duration waited) implements Event {

        public Replayed(String operation, Key key, Duration claiming) {
            this(operation, key, claiming, Duration.ZERO);
        }
    }

    /** A duplicate was told to come back, after waiting this long; once per duplicate, however often its door asked. */
    record WasBusy(String operation, Key key, Duration waited) implements Event {}

    /** A call was refused. */
    record WasRefused(String operation, Key key, Outcome.Reason reason) implements Event {}

    /** Work threw, or its door gave up, and the key is free again. */
    record Released(
            String operation, Key key, long fence, @Nullable Throwable cause) implements Event {}

    /** An earlier holder was found to have fallen silent; what follows is by the operation's policy. */
    record Abandoned(String operation, Key key, long fence) implements Event {}

    /**
     * Whoever ran it gave it up without knowing whether it happened, for this reason; the next call meets the operation's policy, as
     * {@link Abandoned}.
     */
    record GivenUp(String operation, Key key, long fence, String why) implements Event {}

    /**
     * The outcome is recorded as unknown, for this reason.
     *
     * @param ran whether whoever ran it says so; else a later call found that its holder had fallen silent
     */
    record Unknown(String operation, Key key, long fence, String why, boolean ran) implements Event {

        public Unknown(String operation, Key key, long fence, String why) {
            this(operation, key, fence, why, false);
        }
    }

    /** Work ran but its answer could not be kept: too large, or its codec failed. */
    record NotRetained(
            String operation,
            Key key,
            long fence,
            long bytes,
            @Nullable Throwable cause) implements Event {}

    /** A retry's stored answer cannot be read: its form is another, it is damaged, or its codec failed; the retry is refused. */
    record Unreadable(String operation, Key key, Throwable cause) implements Event {}

    /** Another attempt has the slot; whatever this one does is refused. */
    record LostLease(String operation, Key key, long fence) implements Event {}

    /** An attempt was running for as long as its operation renews leases, and was not ended: its lease is left to run out. */
    record Overdue(String operation, Key key, long fence, Duration working) implements Event {}

    /** A heartbeat did not get through; it is tried again. */
    record RenewFailed(String operation, Key key, long fence, Throwable cause) implements Event {}

    /** The store could not be asked for a claim; nothing was run. */
    record ClaimFailed(String operation, Key key, Throwable cause) implements Event {}

    /** The store did not confirm a settle, so that nobody knows whether it applied. */
    record SettleFailed(String operation, Key key, long fence, Throwable cause) implements Event {}

    /** An operator did something to a key. */
    record Operated(String operation, Key key, String operator, Act act) implements Event {}

    /** What an operator did. */
    enum Act {
        RESOLVED,
        RELEASED,
        REVEALED
    }
}
