// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import java.util.List;
import java.util.Optional;

/** A {@link SessionStore} that shows operators what it keeps, but no answers; looking changes nothing and prolongs nothing. */
public interface InspectableSessions extends SessionStore {

    /** A session that lives; empty for one that has ended or never was. */
    Optional<SessionView> look(SessionKey key);

    /** Sessions of a scope that live, at most so many of them, in any order. */
    List<SessionView> list(String scope, int limit);
}
