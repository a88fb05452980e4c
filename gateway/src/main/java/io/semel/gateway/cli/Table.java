// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Prints JSON for people: keys as a table, anything else as names and values. */
final class Table {

    static void print(PrintWriter out, JsonNode body) {
        JsonNode keys = body.path("keys");
        if (!keys.isArray()) {
            body.properties().forEach(each -> value(out, each.getKey(), each.getValue()));
            return;
        }
        out.println(String.format(Locale.ROOT, "%-8s %8s %6s %10s  %s", "STATE", "FENCE", "TRIES", "AGE", "SCOPE  ID"));
        keys.forEach(key -> out.println(String.format(
                Locale.ROOT,
                "%-8s %8d %6d %10s  %s  %s",
                key.path("state").asString(),
                key.path("fence").asLong(),
                key.path("attempts").asInt(),
                age(key.path("ageMillis").asLong()),
                printable(key.path("scope").asString()),
                printable(key.path("id").asString()))));
        out.println(keys.size() + (keys.size() == 1 ? " key" : " keys"));
        String next = body.path("next").asString("");
        if (!next.isEmpty()) {
            out.println("There are more: --cursor " + next);
        }
    }

    static void sessions(PrintWriter out, JsonNode body) {
        JsonNode sessions = body.path("sessions");
        out.println(String.format(Locale.ROOT, "%10s %8s %8s %8s  %s", "LEFT", "RECEIVED", "HIGHEST", "KEPT", "ID"));
        sessions.forEach(session -> out.println(String.format(
                Locale.ROOT,
                "%10s %8d %8d %8d  %s",
                age(session.path("remainingMillis").asLong()),
                session.path("receivedBelow").asLong() - 1,
                session.path("highest").asLong(),
                session.path("requests").size(),
                printable(session.path("id").asString()))));
        out.println(sessions.size() + (sessions.size() == 1 ? " session" : " sessions"));
    }

    private static void value(PrintWriter out, String name, JsonNode value) {
        if (value.isArray()) {
            out.println(name + ":");
            value.forEach(each -> out.println("  " + printable(each.isString() ? each.asString() : each.toString())));
        } else {
            out.println(name + ": " + printable(value.isValueNode() ? value.asString("") : value.toString()));
        }
    }

    static String age(long millis) {
        Duration age = Duration.ofMillis(millis);
        if (age.toDays() > 0) {
            return age.toDays() + "d" + age.toHoursPart() + "h";
        }
        return age.toHours() > 0
                ? age.toHours() + "h" + age.toMinutesPart() + "m"
                : age.toMinutesPart() + "m" + age.toSecondsPart() + "s";
    }

    /** Clients choose their keys: what would move a terminal's cursor does not get there. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}]", "?");
    }

    private Table() {}
}
