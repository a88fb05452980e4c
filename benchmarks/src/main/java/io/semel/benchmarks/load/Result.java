// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import java.util.Comparator;
import java.util.List;

/** What a contender did in a round: how much in a second, and how long all but one in a hundred operations took at most. */
record Result(String name, double perSecond, double p99Millis) {

    static Result of(String name, List<long[]> latencies, long nanos) {
        long[] all = latencies.stream()
                .flatMapToLong(java.util.Arrays::stream)
                .sorted()
                .toArray();
        double p99 = all.length == 0 ? 0 : all[(int) (all.length * 0.99)] / 1e6;
        return new Result(name, all.length * 1e9 / nanos, p99);
    }

    static Result median(List<Result> rounds) {
        return new Result(
                rounds.get(0).name,
                middle(rounds, Comparator.comparingDouble(Result::perSecond)).perSecond,
                middle(rounds, Comparator.comparingDouble(Result::p99Millis)).p99Millis);
    }

    private static Result middle(List<Result> rounds, Comparator<Result> order) {
        return rounds.stream().sorted(order).toList().get(rounds.size() / 2);
    }
}
