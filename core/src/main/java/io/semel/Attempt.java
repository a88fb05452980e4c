// SPDX-License-Identifier: Apache-2.0
package io.semel;

/** One run of the work, as the work sees it. */
public interface Attempt {

    Key key();

    /** A number that only rises per key; pass it downstream, so that a holder that was given up is refused there. */
    long fence();

    /** Whether an earlier holder fell silent, so that parts of the effect may exist already. */
    boolean abandoned();

    /**
     * A key for a downstream call: the same in every attempt at this key, different for every name, shaped like a UUID,
     * and not to be traced back to the client's key.
     */
    String derive(String name);

    /** Renews the lease at once; throws {@link LeaseLost} if another attempt has the slot, so that the work can stop. */
    void renew();
}
