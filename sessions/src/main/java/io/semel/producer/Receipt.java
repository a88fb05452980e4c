// SPDX-License-Identifier: Apache-2.0
package io.semel.producer;

/** What became of a batch. */
public sealed interface Receipt {

    /** It was appended now. */
    record Appended(long position) implements Receipt {}

    /** It had been appended before, there; nothing was appended now. */
    record Duplicate(long position) implements Receipt {}

    /** Nothing was appended, and sending it again will not help. */
    record Refused(Reason reason) implements Receipt {}

    /** Why a batch is refused. */
    enum Reason {
        /** Its numbers do not follow the last ones, and it is none of the batches that are remembered. */
        OUT_OF_ORDER,
        /** A newer instance of this producer has registered. */
        FENCED,
        /** Nobody with this id has registered, or it was idle for so long that it is forgotten. */
        UNKNOWN
    }
}
