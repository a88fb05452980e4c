// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.session;

import io.semel.session.SessionStore;
import io.semel.testkit.ManualTime;
import io.semel.testkit.session.InspectableSessionContract;
import java.time.Duration;

/** The contract around whichever store was put in last. */
class SessionCage extends InspectableSessionContract {

    private static volatile Class<? extends PlainSessions> next = PlainSessions.class;

    private final Class<? extends PlainSessions> animal = next;
    private final ManualTime time = new ManualTime();
    private final PlainSessions store = make(animal, Integer.MAX_VALUE);

    /** What the contract is run on from now. */
    static void put(Class<? extends PlainSessions> animal) {
        next = animal;
    }

    @Override
    protected PlainSessions open() {
        return store;
    }

    @Override
    protected SessionStore withRoomFor(int sessions) {
        return make(animal, sessions);
    }

    @Override
    protected void elapse(Duration span) {
        time.pause(span);
    }

    private PlainSessions make(Class<? extends PlainSessions> type, int most) {
        try {
            PlainSessions made = type.getDeclaredConstructor().newInstance();
            made.time = time;
            made.most = most;
            return made;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("A store of the zoo cannot be made: " + type, e);
        }
    }
}
