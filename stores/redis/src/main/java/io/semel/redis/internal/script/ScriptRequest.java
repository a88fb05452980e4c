// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

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

/** A request to the script: the name of its slot, and the arguments. */
public record ScriptRequest(byte[] name, byte[]... arguments) {

    private static final byte[] NOTHING = {};

    public static ScriptRequest claim(byte[] name, Call call, String holder, Duration lease) {
        byte[] command =
                ByteBuffer.allocate(9).put((byte) 'c').putLong(Micros.of(lease)).array();
        byte[] key = bytes(call.key(), 0, holder.length());
        byte[] token = bytes(holder);
        System.arraycopy(token, 0, key, key.length - token.length, token.length);
        return new ScriptRequest(name, command, call.fingerprint().toBytes(), key);
    }

    public static ScriptRequest settle(byte[] name, Key key, String holder, long fence, Settlement settlement) {
        byte[] command = new byte[17];
        spans(ByteBuffer.wrap(command).put(verdict(settlement)), settlement);
        byte[] grant = bytes(key, Long.BYTES, 0);
        ByteBuffer.wrap(grant).putLong(fence);
        return new ScriptRequest(name, command, grant, bytes(holder), result(settlement));
    }

    public static ScriptRequest amend(byte[] name, byte[] seen, Settlement verdict) {
        byte[] command = new byte[18];
        spans(ByteBuffer.wrap(command).put((byte) 'a').put(verdict(verdict)), verdict);
        return new ScriptRequest(name, command, seen, result(verdict));
    }

    /** Reads the whole row. */
    public static ScriptRequest look(byte[] name) {
        return new ScriptRequest(name, new byte[] {'l'});
    }

    /** Reads the size of the row, and the row without its result. */
    public static ScriptRequest head(byte[] name) {
        return new ScriptRequest(name, new byte[] {'h'});
    }

    /** Counts the held, lapsed and unknown slots of a bucket. */
    public static ScriptRequest count(byte[] bucket) {
        return new ScriptRequest(bucket, new byte[] {'n'});
    }

    /** Reads a list of a bucket. */
    public static ScriptRequest members(byte[] bucket, SlotList list) {
        return new ScriptRequest(bucket, new byte[] {'m', list.code()});
    }

    /** Removes an entry from a list. */
    public static ScriptRequest strike(byte[] name, SlotList list, long since) {
        return new ScriptRequest(
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

    private static void spans(ByteBuffer command, Settlement settlement) {
        if (settlement instanceof Settlement.Complete complete) {
            Retention retention = complete.retention();
            command.putLong(Micros.of(retention.retention())).putLong(Micros.of(retention.remembrance()));
        } else if (settlement instanceof Settlement.Renew renew) {
            command.putLong(Micros.of(renew.lease()));
        }
    }

    private static byte[] result(Settlement settlement) {
        return settlement instanceof Settlement.Complete complete ? complete.result() : NOTHING;
    }

    public static byte[][] names(List<ScriptRequest> requests) {
        return requests.stream().map(ScriptRequest::name).toArray(byte[][]::new);
    }

    /** The arguments of all requests, in their order. */
    public static byte[][] arguments(List<ScriptRequest> requests) {
        if (requests.size() == 1) {
            return requests.get(0).arguments();
        }
        List<byte[]> all = new ArrayList<>(requests.size() * 4);
        for (ScriptRequest each : requests) {
            all.addAll(List.of(each.arguments()));
        }
        return all.toArray(byte[][]::new);
    }

    /** The lengths of scope and id, then both texts, with room before and after. */
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
