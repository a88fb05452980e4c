// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How old a call is by the store's time, where something says when it was first sent (E10). */
final class Age {

    private final InFlight inFlight;
    private final Operation operation;
    private final Key key;
    private final @Nullable Instant born;

    Age(Engine engine, Call call) {
        this.inFlight = engine.inFlight();
        this.operation = engine.operation();
        this.key = call.key();
        this.born = operation.bornAt(call);
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
}
