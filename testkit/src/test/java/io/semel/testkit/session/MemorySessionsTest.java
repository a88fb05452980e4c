// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import io.semel.session.InspectableSessions;
import io.semel.session.MemorySessions;
import io.semel.session.SessionStore;
import io.semel.testkit.ManualTime;
import java.time.Duration;

class MemorySessionsTest extends InspectableSessionContract {

    private final ManualTime time = new ManualTime();
    private final MemorySessions store = new MemorySessions(10_000, time);

    @Override
    protected InspectableSessions open() {
        return store;
    }

    @Override
    protected SessionStore withRoomFor(int sessions) {
        return new MemorySessions(sessions, time);
    }

    @Override
    protected void elapse(Duration span) {
        time.pause(span);
    }
}
