// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import io.semel.Key;
import io.semel.store.Store;
import java.time.Duration;

/** The backend of a store under test, as the laws use it. */
public interface Backend {

    /** A new handle, such as another process would have. */
    Store open();

    /** Makes everything that is recorded older. */
    void elapse(Duration span);

    /** Blocks on one key until the answer is closed. */
    AutoCloseable blocked(Key key);

    /** A handle that cannot decide claims. */
    Store failing();

    /** Kills the backend and starts it again on the same data. */
    void killAndRestart();

    /** A test class that has a backend. */
    interface Owner {

        /** The backend that all tests of the class share. */
        Backend backend();
    }
}
