// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import java.util.ArrayList;
import java.util.List;

/**
 * One run of a {@link Script}: an answer, packed with gzip for those who accept that, or an exception.
 *
 * @param blocks whether it waits until it is released
 * @param body {@code {n}} in it, and in the lines, is the number of the run
 * @param filler how many more bytes the body has
 * @param lines header lines
 */
record Turn(Kind kind, boolean blocks, int status, String body, int filler, List<String> lines) {

    enum Kind {
        ANSWERS,
        PACKS,
        FAILS
    }

    /** 201 with a {@code Location} and the body {@code payment {n}}. */
    static Turn paid() {
        return answer(201).with("Location: /payments/{n}").saying("payment {n}");
    }

    static Turn answer(int status) {
        return new Turn(Kind.ANSWERS, false, status, "run {n}", 0, List.of("Content-Type: text/plain;charset=UTF-8"));
    }

    /** As servers say it: without a body and its type. */
    static Turn empty(int status) {
        return new Turn(Kind.ANSWERS, false, status, "", 0, List.of());
    }

    static Turn failing() {
        return new Turn(Kind.FAILS, false, 500, "", 0, List.of());
    }

    Turn blocked() {
        return new Turn(kind, true, status, body, filler, lines);
    }

    Turn packed() {
        return new Turn(Kind.PACKS, blocks, status, body, filler, lines);
    }

    Turn saying(String text) {
        return new Turn(kind, blocks, status, text, filler, lines);
    }

    Turn filled(int bytes) {
        return new Turn(kind, blocks, status, body, bytes, lines);
    }

    Turn with(String line) {
        List<String> more = new ArrayList<>(lines);
        more.add(line);
        return new Turn(kind, blocks, status, body, filler, more);
    }
}
