// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Prints JSON for people: keys as a table, anything else as names and values. */
final class TablePrinter {

    static void print(PrintWriter out, JsonNode body) {
        JsonNode keys = body.path("keys");
        if (!keys.isArray()) {
            body.properties().forEach(each -> value(out, each.getKey(), each.getValue()));
            return;
        }
        String form = "%-8s %" + width(keys, 8, key -> key.path("fence").asString("")) + "s %6s %10s  %-"
                + width(keys, 5, key -> printable(key.path("scope").asString())) + "s  %s";
        out.println(String.format(Locale.ROOT, form, "STATE", "FENCE", "CLAIMS", "AGE", "SCOPE", "ID"));
        keys.forEach(key -> out.println(String.format(
                Locale.ROOT,
                form,
                key.path("state").asString(),
                key.path("fence").asLong(),
                key.path("attempts").asInt(),
                age(key.path("ageMillis").asLong()),
                printable(key.path("scope").asString()),
                printable(key.path("id").asString()))));
        out.println(keys.size() + (keys.size() == 1 ? " key" : " keys"));
        String next = body.path("next").asString("");
        if (!next.isEmpty()) {
            out.println("More keys: --cursor " + next);
        }
    }

    private static int width(JsonNode rows, int least, Function<JsonNode, String> column) {
        int width = least;
        for (JsonNode row : rows) {
            width = Math.max(width, column.apply(row).length());
        }
        return width;
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
            out.println(name + (value.isEmpty() ? ": none" : ":"));
            value.forEach(each -> out.println("  " + line(each)));
        } else if (name.equals("attempts")) {
            out.println("claimed: " + value.asInt() + (value.asInt() == 1 ? " time" : " times"));
        } else if (name.endsWith("Millis")) {
            out.println(name.substring(0, name.length() - "Millis".length()) + ": " + span(value.asLong()));
        } else {
            out.println(name + ": " + line(value));
        }
    }

    /** An event or action on one line: time and name first, then names and values. */
    private static String line(JsonNode value) {
        if (!value.isObject()) {
            return printable(value.asString(""));
        }
        StringJoiner line = new StringJoiner("  ");
        value.properties().forEach(each -> {
            String name = each.getKey();
            boolean plain = name.equals("at") || name.equals("event") || name.equals("act");
            String text = name.endsWith("Millis") ? span(each.getValue().asLong()) : line(each.getValue());
            if (!text.isEmpty()) {
                line.add(plain ? text : name.replaceFirst("Millis$", "") + "=" + text);
            }
        });
        return line.toString();
    }

    private static String span(long millis) {
        return millis == Long.MAX_VALUE ? "for ever" : age(millis);
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

    /** Clients choose their keys, so control characters never reach the terminal. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}]", "?");
    }

    private TablePrinter() {}
}
