// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.history;

import io.semel.Fingerprint;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that was done to one slot, with the answer that the store gave. */
public sealed interface SlotOperation {

    /** A claim; without an answer where the store threw, so that it may have been granted or not. */
    record Claiming(
            Fingerprint fingerprint,
            String holder,
            Duration lease,
            @Nullable Claim answer) implements SlotOperation {}

    /** A settle; without an answer where the store threw, so that it may have applied or not. */
    record Settling(
            String holder,
            long fence,
            Settlement settlement,
            @Nullable Boolean applied) implements SlotOperation {}

    /** A peek; null where the slot was free. One that threw is no operation, since it changes nothing. */
    record Peeking(@Nullable Claim answer) implements SlotOperation {}

    /** Everything in the store became older by this span. */
    record Elapsing(Duration span) implements SlotOperation {}

    /** Whether nobody knows what became of it. */
    default boolean isUnanswered() {
        if (this instanceof Claiming claiming) {
            return claiming.answer() == null;
        }
        return this instanceof Settling settling && settling.applied() == null;
    }
}
