// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.engine;

/** The rules around whichever engine was put in last. */
class EngineCage extends EngineContract {

    private static volatile Wrong next = new Wrong();

    private final Wrong wrong = next;

    static void put(Wrong engine) {
        next = engine;
    }

    @Override
    Wrong wrong() {
        return wrong;
    }
}
