// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Cuts a list of questions where a key comes again, so that each is answered as if the one before had been asked alone. */
final class Batches {

    static <Q, A> List<A> distinct(
            List<Q> questions, Function<Q, ?> key, int most, Function<List<Q>, List<A>> answered) {
        List<A> answers = new ArrayList<>(questions.size());
        List<Q> batch = new ArrayList<>();
        Set<Object> keys = new HashSet<>();
        for (Q question : questions) {
            if (batch.size() == most || keys.contains(key.apply(question))) {
                answers.addAll(answered.apply(List.copyOf(batch)));
                batch.clear();
                keys.clear();
            }
            batch.add(question);
            keys.add(key.apply(question));
        }
        if (!batch.isEmpty()) {
            answers.addAll(answered.apply(batch));
        }
        return answers;
    }

    private Batches() {}
}
