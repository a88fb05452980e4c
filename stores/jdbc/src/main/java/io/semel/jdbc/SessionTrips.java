// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.session.RequestKey;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How requests of sessions are claimed and settled. Nothing here waits for the session of another request. */
interface SessionTrips {

    /** Empty where somebody else has the session at this moment. */
    Optional<Claim> claim(RequestKey asked, Call call, String holder, Duration lease);

    /** The same in the order of the claims, where one session does not keep the others waiting. */
    List<Optional<Claim>> claimAll(List<Store.Claiming> claimings);

    /** In the caller's transaction: waits for whoever has the session; empty if that took longer than the database allows. */
    Optional<Claim> await(RequestKey asked, Call call, String holder, Duration lease);

    boolean settle(RequestKey asked, String holder, long fence, Settlement settlement);

    List<Boolean> settleAll(List<Store.Settling> settlings);
}
