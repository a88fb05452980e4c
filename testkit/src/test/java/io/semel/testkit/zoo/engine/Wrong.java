// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.engine;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Listener;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Work;
import io.semel.store.Store;
import io.semel.time.Time;

/** What stands between an engine and those it works with, and would make it wrong; by default nothing does. */
class Wrong {

    Store store(Store store) {
        return store;
    }

    Time time(Time time) {
        return time;
    }

    Listener listener(Listener listener) {
        return listener;
    }

    Operation operation(Operation operation) {
        return operation;
    }

    Codec<String> codec(Codec<String> codec) {
        return codec;
    }

    <E extends Exception> Outcome<String> run(Engine engine, Call call, Work<String, E> work) throws E {
        return engine.run(call, EngineContract.UTF8, work);
    }
}
