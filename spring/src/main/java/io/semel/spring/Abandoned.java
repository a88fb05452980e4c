// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

/** The policy for a call whose earlier holder fell silent, so that its outcome is unknown. */
public enum Abandoned {
    /** The call runs again, with a higher fence: for methods that are harmless to repeat or pass derived keys on. */
    RERUN,
    /** The call is refused as UNKNOWN until an operator resolves it. */
    REFUSE
}
