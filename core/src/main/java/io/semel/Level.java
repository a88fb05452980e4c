// SPDX-License-Identifier: Apache-2.0
package io.semel;

/** How much a store can promise; an operation may demand a level and is refused where the store cannot give it. */
public enum Level {
    /** The store may lose what it acknowledged; a lost record means a repeat. */
    BEST_EFFORT,
    /** What the store acknowledged survives; a holder that falls silent meets the operation's policy. */
    LEASED,
    /** Claim, effect and answer commit in one transaction; a crash rolls all of it back. */
    JOINED;

    public boolean gives(Level demanded) {
        return compareTo(demanded) >= 0;
    }
}
