// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What a store told last, asked again when that is no longer fresh; figures are NaN where it could not be asked. */
final class Sampled<T> {

    private final Supplier<T> question;
    private final long freshNanos;
    private Optional<T> last = Optional.empty();
    private boolean asked;
    private long taken;

    Sampled(Supplier<T> question, Duration fresh) {
        this.question = question;
        this.freshNanos = fresh.toNanos();
    }

    double read(ToDoubleFunction<T> figure) {
        return latest().map(figure::applyAsDouble).orElse(Double.NaN);
    }

    private synchronized Optional<T> latest() {
        if (!asked || System.nanoTime() - taken > freshNanos) {
            last = ask();
            asked = true;
            taken = System.nanoTime();
        }
        return last;
    }

    private Optional<T> ask() {
        try {
            return Optional.of(question.get());
        } catch (RuntimeException unreachable) {
            return Optional.empty();
        }
    }
}
