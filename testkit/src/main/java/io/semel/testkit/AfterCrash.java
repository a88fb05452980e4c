// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

/** What a test expects of a retry after a crash that left nobody knowing whether the effect happened. */
public enum AfterCrash {
    /** It is answered, and the effect is there once; or it is refused as UNKNOWN, and the effect is there once at most. */
    AT_MOST_ONCE,
    /** It is answered, and the effect is there once: the work passes a derived key on, or a hook reconciles. */
    ANSWERED,
    /** It is refused as UNKNOWN, until an operator resolves it, and the effect is there once at most. */
    REFUSED,
    /** It is answered, and the effect may be there twice, because repeating it is harmless. */
    REPEATED
}
