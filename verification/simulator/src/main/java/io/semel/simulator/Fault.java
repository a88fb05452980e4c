// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

/** What can go wrong at the border of a call. */
public enum Fault {
    /** The node dies. */
    CRASH,
    /** The node stands still, often for longer than a lease, and then goes on. */
    PAUSE,
    /** What the node has scheduled, its heartbeat, does not run for a while. */
    STARVE,
    /** A waiting thread is interrupted. */
    INTERRUPT,
    /** The node's monotonic clock leaps forward. */
    LEAP,
    /** The store's clock jumps forward. */
    JUMP_FORTH,
    /** The store's clock jumps back. */
    JUMP_BACK,
    /** The request does not reach the store, and the caller does not know. */
    FAIL_BEFORE,
    /** The request does not reach the store, and the caller knows. */
    FAIL_CERTAINLY,
    /** The request is applied, but its answer does not come back. */
    FAIL_AFTER,
    /** The caller is told that it failed, and the request is applied later. */
    LATE,
    /** The request is applied twice: now, and again later. */
    ECHO,
    /** The request takes long to reach the store. */
    SLOW_BEFORE,
    /** The answer takes long to come back. */
    SLOW_AFTER,
    /**
     * The call does not come back for longer than a lease, because the store blocks on one of its keys or for a reason of its own;
     * then it returns or throws, obeyed or not. An interrupt may end it.
     */
    HANG,
    /** Only the first few requests of a batch are applied, and the caller does not know which. */
    PARTIAL
}
