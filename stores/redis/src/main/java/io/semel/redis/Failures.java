// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.StoreException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is told when Redis did not do as asked. */
final class Failures {

    /** With these Redis says that it did not even begin. */
    private static final Set<String> BEFORE_ANYTHING = Set.of(
            "BUSY",
            "CLUSTERDOWN",
            "LOADING",
            "MASTERDOWN",
            "MISCONF",
            "NOAUTH",
            "NOPERM",
            "NOREPLICAS",
            "NOSCRIPT",
            "OOM",
            "READONLY",
            "TRYAGAIN",
            "WRONGTYPE");

    /** Clients say where they could not connect to, and only in the last of the causes why. */
    static StoreException unconnected(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        String why = String.valueOf(last.getMessage());
        String advice = advice(code(why));
        String message = "Could not connect to Redis: " + failure.getMessage() + ", because of: " + why + ".";
        return advice.isEmpty()
                ? StoreException.unreachable(
                        message + " See whether it is up, and whether the client has its address.", failure)
                : StoreException.changedNothing(message + advice, failure);
    }

    /** Redis may be well, and others of this process hold all connections. */
    static StoreException exhausted(Throwable failure) {
        return StoreException.changedNothing(
                "No connection to Redis was free in time, so nothing was sent: " + failure.getMessage()
                        + ". Give the pool more connections.",
                failure);
    }

    /** The connection is down, and nothing was sent. */
    static StoreException disconnected(Duration waited) {
        return StoreException.unreachable(
                "Redis cannot be reached: its connection has been down for more than " + waited
                        + ". Nothing was sent. See whether it is up.",
                null);
    }

    private static String code(String complaint) {
        return complaint.split(" ", 2)[0];
    }

    static StoreException refused(String what, String complaint, @Nullable Throwable cause) {
        String code = code(complaint);
        if (code.equals("FOREIGN") || code.equals("WRONGTYPE")) {
            return StoreException.changedNothing(
                    "Could not " + what + ": what Redis has under its name was not written by this version of Semel ("
                            + code + "). Give this service a prefix of its own, or use the version that wrote it.",
                    cause);
        }
        String message = "Could not " + what + ": Redis says " + complaint + advice(code);
        return BEFORE_ANYTHING.contains(code)
                ? StoreException.changedNothing(message, cause)
                : new StoreException(message, cause);
    }

    static StoreException unknown(String what, @Nullable Throwable cause) {
        return new StoreException(
                "Redis did not answer, so it is not known whether it did this: " + what + ". " + cause, cause);
    }

    static StoreException unconfirmed(long have, int wanted) {
        return new StoreException(
                "Redis has it, but only " + have + " of " + wanted
                        + " replicas say that they do; whether it survives a failover is not known. See whether the"
                        + " replicas are up.",
                null);
    }

    static StoreException late() {
        return StoreException.changedNothing(
                "The session was not made, because it came to Redis too late to be sure of its place; register it"
                        + " again.",
                null);
    }

    static StoreException closed() {
        return StoreException.changedNothing(
                "This store was closed, and nothing was sent to Redis; open another.", null);
    }

    static StoreException unheardOf(@Nullable Object said) {
        String kind = said == null ? "nothing" : said.getClass().getName();
        return new StoreException(
                "The script answered with " + kind + ", which it never does; is something between us and Redis?", null);
    }

    private static String advice(String code) {
        return switch (code) {
            case "NOAUTH", "NOPERM", "WRONGPASS" ->
                " Give the client a user and a password with which it may run scripts, INFO and SCAN.";
            case "OOM" -> " Raise maxmemory or shorten the retention.";
            case "READONLY" ->
                " Connect to the master, through Sentinel or the cluster client, so that a failover is followed.";
            case "NOREPLICAS" -> " Too few replicas are in touch with it, and min-replicas-to-write asks for more.";
            default -> "";
        };
    }

    private Failures() {}
}
