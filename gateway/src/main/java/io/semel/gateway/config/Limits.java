// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import java.time.Duration;

/**
 * The limits of one client, or of all of them.
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
 * @param bodyRate bytes a second, on average over ten of them, that a body has to come with
 * @param addressShare of the buffered bytes and of the tunnels, in percent, that one address may have; below 100 it does not get all
 *     connections to a service either
 * @param addressConnections of one address at one time; zero is as many as there are
 * @param tunnels for WebSockets and the like, at one time
 * @param tunnelTime without a byte in either direction of a tunnel
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
        int storeThreads,
        long bodyRate,
        int addressShare,
        int addressConnections,
        int tunnels,
        Duration tunnelTime) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    /** About what one takes of the heap and beside it, with what was read last on it. */
    private static final long CONNECTION = 24 << 10;

    private static final Duration LONGEST = Duration.ofDays(1);

    public static final Limits DEFAULT = new Limits(
            16 << 10,
            Runtime.getRuntime().maxMemory() / 4,
            (int) Math.min(20_000, Math.max(1000, Runtime.getRuntime().maxMemory() / CONNECTION)),
            4096,
            100,
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(2),
            Duration.ofSeconds(60),
            Duration.ofSeconds(4),
            Duration.ofSeconds(30),
            64,
            1024,
            50,
            10_000,
            1024,
            Duration.ofMinutes(5));

    public Limits {
        atLeastOne("headerBytes", headerBytes);
        atLeastOne("bufferBytes", bufferBytes);
        atLeastOne("connections", connections);
        atLeastOne("upstreamConnections", upstreamConnections);
        atLeastOne("streams", streams);
        atLeastOne("storeThreads", storeThreads);
        atLeastOne("bodyRate", bodyRate);
        atLeastOne("addressShare", addressShare);
        atLeastOne("tunnels", tunnels);
        if (addressShare > 100) {
            throw new IllegalArgumentException("addressShare is at most 100, not " + addressShare + ".");
        }
        bounded("tunnelTime", tunnelTime, SHORTEST);
        bounded("headerTime", headerTime, SHORTEST);
        bounded("bodyTime", bodyTime, SHORTEST);
        bounded("idleTime", idleTime, SHORTEST);
        bounded("connectTime", connectTime, SHORTEST);
        bounded("answerTime", answerTime, SHORTEST);
        bounded("keepTime", keepTime, Duration.ZERO);
        bounded("drainTime", drainTime, Duration.ZERO);
    }

    private static void atLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is at least 1, not " + value + ".");
        }
    }

    private static void bounded(String name, Duration span, Duration least) {
        if (span.compareTo(least) < 0 || span.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    name + " is from " + least.toMillis() + "ms to " + LONGEST.toHours() + "h.");
        }
    }
}
