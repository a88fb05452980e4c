// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.Call;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;

/** Sees what goes through a {@link FlakyStore}. */
interface Witness {

    Witness NOBODY = new Witness() {};

    default void asked(Call call) {}

    default void claimed(Call call, Claim claim) {}

    default void settled(Key key, Settlement settlement, boolean applied) {}

    default void crashed(String when) {}
}
