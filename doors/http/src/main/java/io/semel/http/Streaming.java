// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

/** The treatment of a request with a key whose answer is a stream of events, which has no end to be recorded at. */
public enum Streaming {
    /** The handler that begins the stream gets an exception; nothing is sent, and nothing recorded. */
    REFUSE,
    /** A tombstone is recorded, then the stream goes through; a retry is told that the answer was not kept. */
    PASS
}
