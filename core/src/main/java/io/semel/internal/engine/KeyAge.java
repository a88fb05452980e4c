// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.Call;
import io.semel.Key;
import io.semel.MalformedKey;
import io.semel.Operation;
import io.semel.Retention;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How old a call is by the store's time, where something says when it was first sent (E10). */
public final class KeyAge {

    private final InFlight inFlight;
    private final Operation operation;
    private final Key key;
    private final @Nullable Instant born;

    KeyAge(EngineContext engine, Call call) {
        this.inFlight = engine.inFlight();
        this.operation = engine.operation();
        this.key = call.key();
        this.born = bornAt(operation, call);
    }

    /** Whether it is outdated some day. */
    boolean isBounded() {
        return born != null && !retention().equals(Retention.FOREVER);
    }

    /** Whether nothing speaks against claiming it, as far as we know the store's time. */
    boolean isUsual() {
        if (born == null) {
            return true;
        }
        Instant now = inFlight.storeTime();
        return !isAhead(born, now) && !isOutdated(now);
    }

    /**
     * As far as we know the store's time, of which we may be behind: what is granted has to be judged again. Where its time seems
     * not to have come yet, the store is asked before it is refused.
     */
    boolean isOutdated() {
        if (born == null) {
            return false;
        }
        Instant now = inFlight.storeTime();
        if (isAhead(born, now)) {
            now = inFlight.askTime();
            checkNotAhead(born, now);
        }
        return isOutdated(now);
    }

    boolean isOutdated(Instant now) {
        return born != null && isBounded() && born.isBefore(now.minus(retention()));
    }

    private boolean isAhead(Instant sent, Instant now) {
        return sent.isAfter(now.plus(operation.skew()));
    }

    private void checkNotAhead(Instant sent, Instant now) {
        if (isAhead(sent, now)) {
            throw new MalformedKey("The key " + key + " is dated " + sent + ", which is more than " + operation.skew()
                    + " after the store's time, " + now + "; set the clock of whoever makes the keys.");
        }
    }

    private Duration retention() {
        return operation.retention().retention();
    }

    /** How long the answer of a call is kept: where its key is dated, it is remembered until that date makes it old (E10). */
    static Retention retention(Operation operation, Call call) {
        return bornAt(operation, call) == null ? operation.retention() : longestRetention(operation);
    }

    /** The retention of a call that may carry a date, as far as is known. */
    public static Retention longestRetention(Operation operation) {
        Retention retention = operation.retention();
        boolean brief = retention.remembrance().compareTo(operation.skew()) < 0;
        return brief ? new Retention(retention.retention(), operation.skew()) : retention;
    }

    /** When a call was first sent, by the client's word or by its key; null if nothing says so. */
    private static @Nullable Instant bornAt(Operation operation, Call call) {
        Instant firstSent = call.firstSent();
        return firstSent != null
                ? firstSent
                : operation.keyTime().of(call.key().id()).orElse(null);
    }
}
