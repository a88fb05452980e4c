// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import io.semel.Call;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;

/** An observer of everything that goes through a {@link FlakyStore}. */
public interface Witness {

    /** A witness that ignores everything. */
    Witness NOBODY = new Witness() {};

    /** A claim is about to be passed on. */
    default void asked(Call call) {}

    /** The store answered a claim. */
    default void claimed(Call call, Claim claim) {}

    /** The store answered a settlement. */
    default void settled(Key key, Settlement settlement, boolean applied) {}

    /** The process crashed. */
    default void crashed(String when) {}
}
