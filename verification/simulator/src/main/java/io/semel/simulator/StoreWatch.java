// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import io.semel.Call;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;

/** Sees every request at the moment a store obeys it, whether or not anybody ever hears the answer. */
public interface StoreWatch {

    void claimed(Call call, String holder, Duration lease, Claim answer);

    /** The caller got this answer, on this node, in the task whose turn it is. */
    void heard(Node node, Call call, String holder, Claim answer);

    void settled(Key key, String holder, long fence, Settlement settlement, boolean applied);

    /** An operator replaced a settled result, or tried to. */
    void amended(Key key, byte[] seen, Settlement verdict, boolean applied);
}
