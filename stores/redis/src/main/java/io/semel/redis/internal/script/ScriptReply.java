// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

import io.semel.Key;
import io.semel.store.Claim;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The script's reply to one request, and the server's time: a number, the bytes of a row, or an error. */
public record ScriptReply(long now, @Nullable Object value) {

    /** The replies to the requests of one call of the script. */
    public static List<ScriptReply> all(List<? extends @Nullable Object> answer) {
        long now = (Long) Objects.requireNonNull(answer.get(0));
        List<ScriptReply> replies = new ArrayList<>(answer.size());
        for (Object value : answer.subList(1, answer.size())) {
            replies.add(new ScriptReply(now, value));
        }
        return replies;
    }

    public Claim claim(Key key) {
        if (value instanceof Long fence) {
            return new Claim.Granted(Math.abs(fence), fence < 0);
        }
        return row("claim " + key)
                .orElseThrow(() -> RedisFailures.unexpected(value))
                .claim(now);
    }

    public boolean applied(String what) {
        if (value instanceof Long applied) {
            return applied == 1;
        }
        throw refusal(what);
    }

    /** A number; its meaning depends on the request. */
    public long number(String what) {
        if (value instanceof Long number) {
            return number;
        }
        throw refusal(what);
    }

    /** The row; empty if the key is not remembered. */
    public Optional<SlotRow> row(String what) {
        if (value == null) {
            return Optional.empty();
        }
        byte[] bytes = bytes(what);
        return SlotRow.isFree(bytes, now) ? Optional.empty() : Optional.of(SlotRow.read(bytes));
    }

    /** Bytes that are not an error. */
    public byte[] bytes(String what) {
        if (value instanceof byte[] bytes && bytes.length > 0 && bytes[0] != '-') {
            return bytes;
        }
        throw refusal(what);
    }

    private RuntimeException refusal(String what) {
        if (value instanceof byte[] bytes && bytes.length > 0 && bytes[0] == '-') {
            return RedisFailures.refused(what, new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8), null);
        }
        return RedisFailures.unexpected(value);
    }
}
