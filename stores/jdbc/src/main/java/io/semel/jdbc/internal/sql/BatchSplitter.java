// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Splits a list of requests into batches without repeated keys, so that repeated requests are answered in their order. */
public final class BatchSplitter {

    public static <Q, A> List<A> distinct(
            List<Q> requests, Function<Q, ?> key, int most, Function<List<Q>, List<A>> answered) {
        List<A> answers = new ArrayList<>(requests.size());
        List<Q> batch = new ArrayList<>();
        Set<Object> keys = new HashSet<>();
        for (Q request : requests) {
            if (batch.size() == most || keys.contains(key.apply(request))) {
                answers.addAll(answered.apply(List.copyOf(batch)));
                batch.clear();
                keys.clear();
            }
            batch.add(request);
            keys.add(key.apply(request));
        }
        if (!batch.isEmpty()) {
            answers.addAll(answered.apply(batch));
        }
        return answers;
    }

    private BatchSplitter() {}
}
