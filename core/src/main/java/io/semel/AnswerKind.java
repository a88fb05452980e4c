// SPDX-License-Identifier: Apache-2.0
package io.semel;

/** The kind of a stored answer. */
public enum AnswerKind {
    /** The work returned a value. */
    VALUE,
    /** The work was refused for good by a {@link Rejection}. */
    REJECTED,
    /** The work was done, but its answer was not kept. */
    NOT_RETAINED,
    /** Nobody knows whether the work was done. */
    UNKNOWN
}
