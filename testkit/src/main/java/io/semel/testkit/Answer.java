// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.NotDone;
import io.semel.Outcome;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one delivery got: a value, or something thrown. */
record Answer<T extends @Nullable Object>(
        int delivery, @Nullable T value, @Nullable Throwable thrown) {

    private static final int LONGEST = 200;

    @SuppressWarnings("NullAway") // a value that was not thrown is null only where T may be
    T orThrow() {
        if (thrown != null) {
            throw new AssertionError("Delivery " + delivery + " got no value, but " + this, thrown);
        }
        return value;
    }

    /** What the engine said, where its word reached the client: as the value, or within what was thrown. */
    @Nullable
    Outcome<?> outcome() {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof NotDone notDone) {
                return notDone.outcome();
            }
        }
        return value instanceof Outcome<?> outcome ? outcome : null;
    }

    boolean isRefused() {
        return outcome() instanceof Outcome.Refused<?>;
    }

    /** Whether both got the same: values equal in this part, or exceptions of the same class and message. */
    boolean equals(Answer<T> other, Function<? super T, ?> part) {
        if (thrown != null || other.thrown != null) {
            return thrown != null && other.thrown != null && thrown.toString().equals(other.thrown.toString());
        }
        return Objects.deepEquals(part(part), other.part(part));
    }

    /** Of a done call its value alone: whether it was replayed is no part of the answer. */
    private @Nullable Object part(Function<? super T, ?> part) {
        Object seen = part.apply(orThrow());
        return seen instanceof Outcome.Done<?> done ? done.value() : seen;
    }

    @Override
    public String toString() {
        if (thrown != null) {
            return cut(thrown.toString());
        }
        if (value instanceof CharSequence) {
            return '"' + cut(value.toString()) + '"';
        }
        return value instanceof byte[] bytes ? hex(bytes) : cut(String.valueOf(value));
    }

    private static String hex(byte[] bytes) {
        return bytes.length + " bytes (" + cut(HexFormat.of().formatHex(bytes)) + ")";
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
