// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.Call;
import io.semel.session.RequestKey;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Claims and settles requests of sessions; nothing here waits for the session of another request. */
public interface SessionRequests {

    /** Empty if another transaction has locked the session. */
    Optional<Claim> claim(RequestKey asked, Call call, String holder, Duration lease);

    /** The same in the order of the claims; a locked session does not delay the others. */
    List<Optional<Claim>> claimAll(List<Store.Claiming> claimings);

    /** Waits, in the caller's transaction, for the session's lock; empty if that took longer than the database allows. */
    Optional<Claim> await(RequestKey asked, Call call, String holder, Duration lease);

    boolean settle(RequestKey asked, String holder, long fence, Settlement settlement);

    List<Boolean> settleAll(List<Store.Settling> settlings);
}
