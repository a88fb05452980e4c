// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.session;

/** What must hold in every run, whatever goes wrong in it. */
public enum SessionInvariant {
    /** A number has at most one effect. */
    EFFECT_ONCE,
    /** All answers to a number are the same, and one of its effects. */
    SAME_ANSWER,
    /** What a client has not received is not refused as stale. */
    NOT_FORGOTTEN,
    /** Nothing below the mark is granted, and nothing a window above it. */
    WITHIN_WINDOW,
    /** Where order is demanded, a number is granted after all before it are settled. */
    IN_ORDER,
    /** Nothing of a session that was said to have ended is granted, and none is made by using it. */
    ENDED,
    /** A store keeps no more requests than its sessions' windows. */
    BOUNDED,
    /** Once nothing goes wrong any more, every request is answered. */
    UNSTUCK
}
