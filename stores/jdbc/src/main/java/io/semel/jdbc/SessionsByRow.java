// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Key;
import io.semel.Outcome.Reason;
import io.semel.Settlement;
import io.semel.jdbc.SessionRows.Locked;
import io.semel.session.RequestKey;
import io.semel.session.RequestState;
import io.semel.session.Ruling;
import java.time.Duration;
import java.util.Optional;

/** Reads the session under a lock, decides here, and writes what follows. */
record SessionsByRow(Access access, SessionRows rows) implements SessionTrips {

    @Override
    public Claim claim(RequestKey asked, Call call, String holder, Duration lease) {
        return access.within(() -> "claim " + call.key(), connection -> {
            Optional<Locked> known = rows.lock(connection, asked.session());
            if (known.isEmpty()) {
                return new Claim.Refused(Reason.SESSION_UNKNOWN);
            }
            Locked session = known.get();
            if (!rows.live(connection, session)) {
                return new Claim.Refused(Reason.SESSION_EXPIRED);
            }
            RequestState request = rows.request(connection, asked.session(), asked.number());
            Ruling ruling = Ruling.onClaim(session.state(), request, call, holder, lease, session.now());
            rows.apply(connection, session, request, asked.number(), ruling);
            return ruling.claim();
        });
    }

    @Override
    public boolean settle(RequestKey asked, Key key, String holder, long fence, Settlement settlement) {
        return access.within(() -> "settle " + key, connection -> {
            Optional<Locked> known = rows.lock(connection, asked.session());
            if (known.isEmpty() || !rows.live(connection, known.get())) {
                return false;
            }
            Locked session = known.get();
            RequestState request = rows.request(connection, asked.session(), asked.number());
            Optional<Ruling> ruling =
                    Ruling.onSettle(session.state(), request, asked.number(), holder, fence, settlement, session.now());
            if (ruling.isPresent()) {
                rows.apply(connection, session, request, asked.number(), ruling.get());
            }
            return ruling.isPresent();
        });
    }
}
