// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.fuzz.AnswerReader.Answered;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says whether what a client got is what a service said to it; throws an AssertionError where it is not. */
final class AnswerJudge {

    /** Bytes of an answer. */
    static final int MOST_KEPT = 20_000;

    private static final Pattern ID = Pattern.compile("s[0-9a-f]{8,16}x[0-9]");
    /** What is forgotten, so that a retry is sent again: decision 0024. */
    private static final Set<Integer> FORGOTTEN = Set.of(401, 403, 407, 408, 413, 425, 429);

    private final Asked asked;
    private final List<AnswerScript> played;

    AnswerJudge(Asked asked, List<AnswerScript> played) {
        this.asked = asked;
        this.played = played;
    }

    /** Whether it is the gateway's own word. */
    static boolean isRefusal(Answered answer) {
        return answer.fields().one("content-type").equals("application/problem+json")
                && (answer.body().contains("urn:semel:problem:")
                        || answer.body().isEmpty());
    }

    void judge(Answered answer) {
        Matcher ids = ID.matcher(answer.fields() + answer.body());
        while (ids.find()) {
            assertThat(ids.group()).as("whose answer: %s", this).isEqualTo(asked.id());
        }
        assertThat(answer.fields().one("content-type").isEmpty() || isRefusal(answer))
                .as("an answer of nobody: %s\n%s", answer, this)
                .isTrue();
        if (!isRefusal(answer)) {
            assertThat(expected())
                    .as("what was said, and not %s: %s", shown(answer), this)
                    .anyMatch(each ->
                            each.status() == answer.status() && each.body().equals(answer.body()));
        }
    }

    private List<Answered> expected() {
        return played.stream()
                .map(script -> script.expected(asked.toHead()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** A request with a key is sent again only where all that was said to it before is forgotten. */
    void judgeRuns() {
        for (int i = 0; asked.keyed() && i < played.size() - 1; i++) {
            AnswerScript script = played.get(i);
            Answered before = script.expected(false);
            assertThat(before != null || script.isLong())
                    .as("no run after one of which nobody knows: %s", this)
                    .isTrue();
            assertThat(isForgotten(before == null ? script.status() : before.status()))
                    .as("no run after an answer that is kept: %s", this)
                    .isTrue();
        }
    }

    private static boolean isForgotten(int status) {
        return status >= 500 || FORGOTTEN.contains(status);
    }

    /** Whether what a client got may end before its end, because it was passed on as it came. */
    boolean mayBeCut() {
        return !asked.keyed() || played.stream().anyMatch(AnswerScript::isLong);
    }

    /** @param first what the first client got, null where it was none */
    void judgeRetry(@Nullable Answered first, Answered retry) {
        boolean replayed = retry.fields().has("idempotent-replayed");
        if (first == null || isRefusal(first) || isForgotten(first.status())) {
            assertThat(replayed
                            && first != null
                            && isForgotten(first.status())
                            && !isRefusal(first)
                            && played.size() < 2)
                    .as("forgotten, and replayed: %s", this)
                    .isFalse();
            return;
        }
        boolean unkept = retry.body().contains("result-unavailable");
        // Headers that are kept count too.
        if (first.body().length() > MOST_KEPT || (unkept && mayBeCut())) {
            assertThat(unkept).as("not kept: %s", this).isTrue();
            return;
        }
        assertThat(replayed).as("replayed, and not %s: %s", shown(retry), this).isTrue();
        assertThat(retry.status()).as("%s", this).isEqualTo(first.status());
        assertThat(retry.body()).as("%s", this).isEqualTo(first.body());
        assertThat(retry.fields().all("location"))
                .as("%s", this)
                .isEqualTo(first.fields().all("location"));
    }

    private static String shown(Answered answer) {
        return answer.status() + " " + Escaped.shown(answer.fields() + " " + answer.body());
    }

    @Override
    public String toString() {
        return asked + "\n" + played;
    }
}
