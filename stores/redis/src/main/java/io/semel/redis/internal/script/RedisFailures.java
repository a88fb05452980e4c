// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

import io.semel.StoreException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The exceptions for requests that Redis did not fulfil. */
public final class RedisFailures {

    /** The error codes of commands that Redis did not begin. */
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

    /** Clients name the address they could not connect to, and only the last cause says why. */
    public static StoreException unconnected(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        String why = String.valueOf(last.getMessage());
        String advice = advice(code(why));
        String message = "Could not connect to Redis: " + failure.getMessage() + ", caused by: " + why + ".";
        return advice.isEmpty()
                ? StoreException.unreachable(
                        message + " Check that it is up and that the client has its address.", failure)
                : StoreException.changedNothing(message + advice, failure);
    }

    /** Redis may be well, while this process uses all connections. */
    public static StoreException exhausted(Throwable failure) {
        return StoreException.changedNothing(
                "No connection to Redis was free in time, so nothing was sent: " + failure.getMessage()
                        + ". Give the pool more connections.",
                failure);
    }

    /** The connection is down, and nothing was sent. */
    public static StoreException disconnected(Duration waited) {
        return StoreException.unreachable(
                "Redis cannot be reached: its connection has been down for more than " + waited
                        + ". Nothing was sent. Check that it is up.",
                null);
    }

    private static String code(String error) {
        return error.split(" ", 2)[0];
    }

    public static StoreException refused(String what, String error, @Nullable Throwable cause) {
        String code = code(error);
        if (code.equals("FOREIGN") || code.equals("WRONGTYPE")) {
            return StoreException.changedNothing(
                    "Could not " + what
                            + ": the value in Redis under its name was not written by this version of Semel (" + code
                            + "). Give this service a prefix of its own, or use the version that wrote it.",
                    cause);
        }
        String message = "Could not " + what + ": Redis says " + error + advice(code);
        return BEFORE_ANYTHING.contains(code)
                ? StoreException.changedNothing(message, cause)
                : new StoreException(message, cause);
    }

    public static StoreException unknown(String what, @Nullable Throwable cause) {
        return new StoreException("Redis did not answer, so the outcome is unknown: " + what + ". " + cause, cause);
    }

    public static StoreException unconfirmed(long have, int wanted) {
        return new StoreException(
                "Redis has the write, but only " + have + " of " + wanted
                        + " replicas have confirmed it; it is unknown whether it survives a failover. Check that the"
                        + " replicas are up.",
                null);
    }

    public static StoreException late() {
        return StoreException.changedNothing(
                "The session was not registered, because the request reached Redis after its reservation; register it"
                        + " again.",
                null);
    }

    public static StoreException closed() {
        return StoreException.changedNothing(
                "This store was closed, and nothing was sent to Redis; open another.", null);
    }

    static StoreException unexpected(@Nullable Object said) {
        String kind = said == null ? "nothing" : said.getClass().getName();
        return new StoreException(
                "The script's reply was an unexpected " + kind + "; check for a proxy between this process and Redis.",
                null);
    }

    private static String advice(String code) {
        return switch (code) {
            case "NOAUTH", "NOPERM", "WRONGPASS" -> " Give the client a user that may run scripts, INFO and SCAN.";
            case "OOM" -> " Raise maxmemory or shorten the retention.";
            case "READONLY" ->
                " Connect to the master, through Sentinel or the cluster client, so that a failover is followed.";
            case "NOREPLICAS" -> " Fewer replicas are connected than min-replicas-to-write requires.";
            default -> "";
        };
    }

    private RedisFailures() {}
}
