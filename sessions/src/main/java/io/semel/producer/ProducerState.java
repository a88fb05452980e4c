// SPDX-License-Identifier: Apache-2.0
package io.semel.producer;

import io.semel.producer.Receipt.Reason;
import java.util.Optional;

/**
 * What is remembered of a producer beside its streams.
 *
 * @param latest its latest instance
 * @param advanced whether that instance took over from the one before it by {@link Producers#advance}
 */
public record ProducerState(Producer latest, boolean advanced) {

    /** A producer with no past. */
    public static ProducerState of(long id) {
        return new ProducerState(new Producer(id, (short) 0), false);
    }

    /** After another registration under the same name. */
    public ProducerState registered(long freshId) {
        return next(false, freshId);
    }

    /**
     * After the end of what an instance did, for itself; the same state if it had ended that before, empty if it is fenced.
     */
    public Optional<ProducerState> advanced(Producer instance, long freshId) {
        if (instance.equals(latest)) {
            return Optional.of(next(true, freshId));
        }
        boolean again = advanced && instance.id() == latest.id() && instance.epoch() == latest.epoch() - 1;
        return again ? Optional.of(this) : Optional.empty();
    }

    /** Epochs do not go round: whoever has used them up gets another id. */
    private ProducerState next(boolean byItself, long freshId) {
        return latest.epoch() == Short.MAX_VALUE
                ? of(freshId)
                : new ProducerState(new Producer(latest.id(), (short) (latest.epoch() + 1)), byItself);
    }

    /** Why this instance may not append; empty if it may. */
    public Optional<Reason> refusal(Producer instance) {
        if (instance.equals(latest)) {
            return Optional.empty();
        }
        return Optional.of(
                instance.id() == latest.id() && instance.epoch() < latest.epoch() ? Reason.FENCED : Reason.UNKNOWN);
    }
}
