// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Key;
import io.semel.store.Claim;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the script said to one question, and when by the server's clock: a number, the bytes of a row, or what is wrong. */
record Reply(long now, @Nullable Object said) {

    /** To as many questions as were asked in one call of the script. */
    static List<Reply> all(List<? extends @Nullable Object> answer) {
        long now = (Long) Objects.requireNonNull(answer.get(0));
        List<Reply> replies = new ArrayList<>(answer.size());
        for (Object said : answer.subList(1, answer.size())) {
            replies.add(new Reply(now, said));
        }
        return replies;
    }

    Claim claim(Key key) {
        if (said instanceof Long fence) {
            return new Claim.Granted(Math.abs(fence), fence < 0);
        }
        return row("claim " + key).orElseThrow(() -> Failures.unheardOf(said)).claim(now);
    }

    boolean applied(String what) {
        if (said instanceof Long applied) {
            return applied == 1;
        }
        throw refusal(what);
    }

    /** A number; what it stands for depends on the question. */
    long number(String what) {
        if (said instanceof Long number) {
            return number;
        }
        throw refusal(what);
    }

    /** The row, unless nothing is remembered of the key. */
    Optional<Row> row(String what) {
        if (said == null) {
            return Optional.empty();
        }
        byte[] bytes = bytes(what);
        return Row.isFree(bytes, now) ? Optional.empty() : Optional.of(Row.read(bytes));
    }

    /** Bytes that are no complaint. */
    byte[] bytes(String what) {
        if (said instanceof byte[] bytes && bytes.length > 0 && bytes[0] != '-') {
            return bytes;
        }
        throw refusal(what);
    }

    private RuntimeException refusal(String what) {
        if (said instanceof byte[] bytes && bytes.length > 0 && bytes[0] == '-') {
            return Failures.refused(what, new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8), null);
        }
        return Failures.unheardOf(said);
    }
}
