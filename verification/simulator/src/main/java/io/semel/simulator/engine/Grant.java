// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import org.jspecify.annotations.Nullable;

/** A claim that the store granted, whether or not anybody heard of it. */
final class Grant {

    final Life life;
    final String holder;
    final long fence;
    /** The first of its key is 1; unlike the fence it is the same in every run of a seed. */
    final int number;

    /** It was given although another holder's lease was good. */
    final boolean duringLease;
    /** It was given although the key was settled and not yet forgotten. */
    final boolean whileSettled;
    /** Its fence is above all earlier ones. */
    final boolean fenceRose;

    /** When the lease began, in virtual time. */
    long leasedAt;
    /** When the lease ends, in the store's time. */
    long leaseEnd;

    /** Its holder gave it up as abandoned. */
    boolean givenUp;

    /** Who asked for it, and may yet hear of it; null if the request came late. */
    @Nullable
    Asking claimant;
    /** Who heard of it. */
    @Nullable
    Asking asking;

    @Nullable
    Execution execution;

    Grant(
            Life life,
            String holder,
            long fence,
            int number,
            boolean duringLease,
            boolean whileSettled,
            boolean fenceRose) {
        this.life = life;
        this.holder = holder;
        this.fence = fence;
        this.number = number;
        this.duringLease = duringLease;
        this.whileSettled = whileSettled;
        this.fenceRose = fenceRose;
    }

    boolean isFirst() {
        return life.grants.get(0) == this;
    }

    boolean isLast() {
        return life.last() == this;
    }

    /** Whether somebody may still act on it. */
    boolean isAlive() {
        return (claimant != null && claimant.isAlive()) || (asking != null && asking.isAlive());
    }

    @Override
    public String toString() {
        return "grant " + number + " of " + life;
    }
}
