// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import io.semel.store.Settlement;

/** A place on a call's way through the store, at which a test lets the store fail or the whole process die. */
public enum CrashPoint {
    BEFORE_CLAIM("nothing had begun"),
    AFTER_CLAIM("the key was claimed, and the work had not begun"),
    BEFORE_COMPLETE("the work had run, and its answer was not recorded"),
    AFTER_COMPLETE("the answer was recorded, and nobody had got it"),
    BEFORE_RENEW("a heartbeat was due, and the lease was not renewed"),
    AFTER_RENEW("the lease was renewed, and nobody was told"),
    BEFORE_RELEASE("the work had thrown, and its key was not free yet"),
    AFTER_RELEASE("the work had thrown, and its key was free again");

    private final String situation;

    CrashPoint(String situation) {
        this.situation = situation;
    }

    /** What has happened at this point and what has not, as half a sentence. */
    public String situation() {
        return situation;
    }

    static CrashPoint before(Settlement settlement) {
        if (settlement instanceof Settlement.Complete) {
            return BEFORE_COMPLETE;
        }
        return settlement instanceof Settlement.Renew ? BEFORE_RENEW : BEFORE_RELEASE;
    }

    static CrashPoint after(Settlement settlement) {
        if (settlement instanceof Settlement.Complete) {
            return AFTER_COMPLETE;
        }
        return settlement instanceof Settlement.Renew ? AFTER_RENEW : AFTER_RELEASE;
    }
}
