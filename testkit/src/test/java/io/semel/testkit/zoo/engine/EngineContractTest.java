// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.engine;

/** The engine as it is keeps its rules. */
class EngineContractTest extends EngineContract {

    @Override
    Wrong wrong() {
        return new Wrong();
    }
}
