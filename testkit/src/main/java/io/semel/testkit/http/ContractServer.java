// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

/** A server under test, with a door on a port of this machine and a {@link ScriptedService} behind it. */
public interface ContractServer extends AutoCloseable {

    int port();

    /** No connection to the store can be opened any more, until it is mended; requests that run go on. */
    void cut();

    /** The store can be reached again. */
    void mend();

    /**
     * Ends as if killed: what runs is neither completed nor released, and no lease of it is renewed. What it still tells its store
     * changes nothing.
     */
    void kill();

    /** Ends; a server that was killed may be closed. */
    @Override
    void close();
}
