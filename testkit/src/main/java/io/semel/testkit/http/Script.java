// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** The behaviour of a {@link ScriptedService}, as a request says it: its nth run takes the nth turn, or the last. */
record Script(String id, List<Turn> turns) {

    /** The header that carries a script; headers are no part of what is compared. */
    static final String HEADER = "X-Contract-Script";

    private static final String NEXT_TURN = "\u0001";
    private static final String NEXT_FIELD = "\u0002";
    private static final String NEXT_LINE = "\u0003";

    Turn turn(int run) {
        return turns.get(Math.min(run, turns.size()) - 1);
    }

    String encoded() {
        String text = id + NEXT_TURN + turns.stream().map(Script::encoded).collect(Collectors.joining(NEXT_TURN));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }

    private static String encoded(Turn turn) {
        return String.join(
                NEXT_FIELD,
                turn.kind().name(),
                Boolean.toString(turn.blocks()),
                Integer.toString(turn.status()),
                turn.body(),
                Integer.toString(turn.filler()),
                String.join(NEXT_LINE, turn.lines()));
    }

    static Script decode(String encoded) {
        String[] parts = new String(Base64.getUrlDecoder().decode(encoded), UTF_8).split(NEXT_TURN, -1);
        List<Turn> turns = new ArrayList<>();
        for (String part : Arrays.asList(parts).subList(1, parts.length)) {
            turns.add(turn(part.split(NEXT_FIELD, -1)));
        }
        return new Script(parts[0], turns);
    }

    private static Turn turn(String[] fields) {
        return new Turn(
                Turn.Kind.valueOf(fields[0]),
                Boolean.parseBoolean(fields[1]),
                Integer.parseInt(fields[2]),
                fields[3],
                Integer.parseInt(fields[4]),
                fields[5].isEmpty() ? List.of() : List.of(fields[5].split(NEXT_LINE, -1)));
    }
}
