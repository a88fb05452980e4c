// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of a call. */
public sealed interface Outcome<T extends @Nullable Object> {

    /** The effect landed; a replayed value is the first answer, given again. */
    record Done<T extends @Nullable Object>(T value, boolean replayed) implements Outcome<T> {}

    /** Another attempt is at it; ask again after this long. */
    record Busy<T extends @Nullable Object>(Duration retryAfter, Subject subject) implements Outcome<T> {

        public Busy(Duration retryAfter) {
            this(retryAfter, Subject.NONE);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Busy<?> that && retryAfter.equals(that.retryAfter);
        }

        @Override
        public int hashCode() {
            return retryAfter.hashCode();
        }

        @Override
        public String toString() {
            return "Busy[retryAfter=" + retryAfter + "]";
        }
    }

    /** Nothing was run now, and the same call would be refused again; unless other requests of its session come first. */
    record Refused<T extends @Nullable Object>(Reason reason, Subject subject) implements Outcome<T> {

        public Refused(Reason reason) {
            this(reason, Subject.NONE);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Refused<?> that && reason == that.reason;
        }

        @Override
        public int hashCode() {
            return reason.hashCode();
        }

        @Override
        public String toString() {
            return "Refused[reason=" + reason + "]";
        }
    }

    /** What an outcome is about, for messages; no part of its equality. */
    record Subject(@Nullable String operation, @Nullable Key key) {

        static final Subject NONE = new Subject(null, null);
    }

    /** Why a call is refused. */
    enum Reason {
        /** The key was used for another request. */
        MISMATCH,
        /** The request number lies below the client's own low-water mark. */
        STALE,
        /** There is no such session for this caller: it was never registered, was closed, or ended long ago. */
        SESSION_UNKNOWN,
        /** The session ended because its client was silent for longer than its lease. */
        SESSION_EXPIRED,
        /** The session demands order, and a smaller number has not been done yet. */
        OUT_OF_ORDER,
        /** The request number is too far above the client's low-water mark: it must receive answers first. */
        WINDOW_FULL,
        /** It was done, or may have been, too long ago to say what the answer was. */
        GONE,
        /** An earlier attempt fell silent or was held; somebody has to find out whether it happened. */
        UNKNOWN,
        /** It was done, but its answer could not be kept. */
        NOT_RETAINED
    }

    /** The value of a done call; anything else is thrown as {@link NotDone}. */
    default T orThrow() {
        if (this instanceof Done<T> done) {
            return done.value();
        }
        Subject subject = this instanceof Busy<T> busy ? busy.subject() : ((Refused<T>) this).subject();
        throw new NotDone(this, subject);
    }
}
