// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.WhenAbandoned;

/** What becomes of a call whose earlier holder fell silent, so that nobody knows whether it happened. */
public enum Abandoned {
    /** It runs again, with a higher fence: for methods that are harmless to repeat or pass derived keys on. */
    RERUN,
    /** It is refused as UNKNOWN until an operator resolves it. */
    REFUSE;

    WhenAbandoned policy() {
        return this == RERUN ? WhenAbandoned.rerun() : WhenAbandoned.refuse();
    }
}
