// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

/** Why no further attempt was made. */
public enum StopReason {
    /** The answer or failure was final: the same request would meet the same again. */
    FINAL,
    /** The next attempt would have begun after the deadline, or sooner than the service asked for. */
    DEADLINE,
    /** Too many of this client's calls have been repeated of late. */
    BUDGET,
    /** The waiting thread was interrupted, or the future was cancelled. */
    INTERRUPTED,
    /** The intent could not be written down, so nothing was sent. */
    JOURNAL,
    /** The intent is older than what may be sent again. */
    TOO_OLD,
    /** Too many requests of the session wait for their answers, so nothing was sent. */
    WINDOW_FULL,
    /** The session has ended, so nothing was sent. */
    SESSION_OVER
}
