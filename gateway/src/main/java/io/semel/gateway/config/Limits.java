// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import java.time.Duration;

/**
 * What one client, or all of them, may use.
 *
 * @param headerBytes of a request's head: of its first line, and of all header lines together
 * @param bufferBytes of bodies and answers that are held at one time, for all requests together
 * @param connections of clients at one time
 * @param upstreamConnections to one upstream at one time, shared out evenly among the event loops
 * @param streams of one HTTP/2 connection at one time
 * @param headerTime from the first byte of a request to the end of its head
 * @param bodyTime from the head to the end of the body, for requests with a key
 * @param idleTime without a byte in either direction
 * @param connectTime to reach an upstream
 * @param answerTime from the end of the request to the answer, and between two parts of it
 * @param keepTime for which an unused connection to an upstream is kept; below what upstreams allow
 * @param drainTime for what is under way at the end
 * @param storeThreads that ask the store
 */
public record Limits(
        int headerBytes,
        long bufferBytes,
        int connections,
        int upstreamConnections,
        int streams,
        Duration headerTime,
        Duration bodyTime,
        Duration idleTime,
        Duration connectTime,
        Duration answerTime,
        Duration keepTime,
        Duration drainTime,
        int storeThreads) {

    public static final Limits DEFAULT = new Limits(
            16 << 10,
            Runtime.getRuntime().maxMemory() / 4,
            20_000,
            4096,
            100,
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(2),
            Duration.ofSeconds(60),
            Duration.ofSeconds(4),
            Duration.ofSeconds(30),
            64);
}
