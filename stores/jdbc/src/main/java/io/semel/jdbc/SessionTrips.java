// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Key;
import io.semel.Settlement;
import io.semel.session.RequestKey;
import java.time.Duration;

/** How requests of sessions are claimed and settled. */
interface SessionTrips {

    Claim claim(RequestKey asked, Call call, String holder, Duration lease);

    boolean settle(RequestKey asked, Key key, String holder, long fence, Settlement settlement);
}
