// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.AnswerKind;
import io.semel.Call;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Settlement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A question to the script: the name of the slot that it is about, and its arguments. */
record Ask(byte[] name, byte[]... arguments) {

    private static final byte[] NOTHING = {};

    static Ask claim(byte[] name, Call call, String holder, Duration lease) {
        byte[] wish =
                ByteBuffer.allocate(9).put((byte) 'c').putLong(Micros.of(lease)).array();
        byte[] key = bytes(call.key(), 0, holder.length());
        byte[] token = bytes(holder);
        System.arraycopy(token, 0, key, key.length - token.length, token.length);
        return new Ask(name, wish, call.fingerprint().toBytes(), key);
    }

    static Ask settle(byte[] name, Key key, String holder, long fence, Settlement settlement) {
        byte[] wish = new byte[17];
        spans(ByteBuffer.wrap(wish).put(verdict(settlement)), settlement);
        byte[] grant = bytes(key, Long.BYTES, 0);
        ByteBuffer.wrap(grant).putLong(fence);
        return new Ask(name, wish, grant, bytes(holder), result(settlement));
    }

    static Ask amend(byte[] name, byte[] seen, Settlement verdict) {
        byte[] wish = new byte[18];
        spans(ByteBuffer.wrap(wish).put((byte) 'a').put(verdict(verdict)), verdict);
        return new Ask(name, wish, seen, result(verdict));
    }

    /** For the whole row. */
    static Ask look(byte[] name) {
        return new Ask(name, new byte[] {'l'});
    }

    /** For its size, and the row without its result. */
    static Ask head(byte[] name) {
        return new Ask(name, new byte[] {'h'});
    }

    /** For how many of a bucket are held, lapsed and unknown. */
    static Ask count(byte[] bucket) {
        return new Ask(bucket, new byte[] {'n'});
    }

    /** For what is on a list of a bucket. */
    static Ask members(byte[] bucket, Listed list) {
        return new Ask(bucket, new byte[] {'m', list.code()});
    }

    /** Takes off a list what is there no longer. */
    static Ask strike(byte[] name, Listed list, long since) {
        return new Ask(
                name,
                ByteBuffer.allocate(2 + Long.BYTES)
                        .put((byte) 'x')
                        .put(list.code())
                        .putLong(since)
                        .array());
    }

    private static byte verdict(Settlement settlement) {
        if (settlement instanceof Settlement.Complete complete) {
            return (byte) (complete.kind() == AnswerKind.UNKNOWN ? 'U' : 'S');
        }
        return (byte) (settlement instanceof Settlement.Renew ? 'R' : 'F');
    }

    private static void spans(ByteBuffer wish, Settlement settlement) {
        if (settlement instanceof Settlement.Complete complete) {
            Retention retention = complete.retention();
            wish.putLong(Micros.of(retention.retention())).putLong(Micros.of(retention.remembrance()));
        } else if (settlement instanceof Settlement.Renew renew) {
            wish.putLong(Micros.of(renew.lease()));
        }
    }

    private static byte[] result(Settlement settlement) {
        return settlement instanceof Settlement.Complete complete ? complete.result() : NOTHING;
    }

    static byte[][] names(List<Ask> asks) {
        return asks.stream().map(Ask::name).toArray(byte[][]::new);
    }

    /** Of all of them, in their order. */
    static byte[][] arguments(List<Ask> asks) {
        if (asks.size() == 1) {
            return asks.get(0).arguments();
        }
        List<byte[]> all = new ArrayList<>(asks.size() * 4);
        for (Ask each : asks) {
            all.addAll(List.of(each.arguments()));
        }
        return all.toArray(byte[][]::new);
    }

    /** The lengths of scope and id, and both of them, with room before and after. */
    private static byte[] bytes(Key key, int before, int after) {
        byte[] scope = key.scope().getBytes(StandardCharsets.UTF_8);
        byte[] id = key.id().getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[before + 4 + scope.length + id.length + after];
        ByteBuffer.wrap(bytes)
                .position(before)
                .putShort((short) scope.length)
                .putShort((short) id.length)
                .put(scope)
                .put(id);
        return bytes;
    }

    private static byte[] bytes(String holder) {
        return holder.getBytes(StandardCharsets.US_ASCII);
    }
}
