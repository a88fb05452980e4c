// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.format;

import io.semel.Key;
import io.semel.session.SessionKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksIterator;

/**
 * The keys of the column family of sessions: sessions, their requests, and a list of sessions by the time of the next
 * check.
 */
public final class SessionKeys {

    private static final byte SESSION = 1;
    private static final byte REQUEST = 2;
    private static final byte LIST = 3;
    private static final byte SCOPE = 4;

    public static RowId id(SessionKey key) {
        return RowId.of(Key.of(key.scope(), key.id()));
    }

    public static RowId scope(String scope) {
        return RowId.of(Key.of("scope", scope));
    }

    /** Marks a live session of a scope. */
    public static byte[] ofScope(RowId scope, RowId session) {
        return of(SCOPE, scope, RowId.BYTES)
                .putLong(session.high())
                .putLong(session.low())
                .array();
    }

    /** The session of a scope at an entry; null after the last session of the scope. */
    public static @Nullable RowId ofScope(RowId scope, RocksIterator entries) {
        byte[] key = at(of(SCOPE, scope, 0).array(), entries);
        return key == null ? null : RowId.at(key, 1 + RowId.BYTES);
    }

    /** The request number at an entry; null after the last request of the session. */
    public static @Nullable Long number(RowId session, RocksIterator entries) {
        byte[] key = at(of(REQUEST, session, 0).array(), entries);
        return key == null ? null : ByteBuffer.wrap(key).getLong(1 + RowId.BYTES);
    }

    private static byte @Nullable [] at(byte[] prefix, RocksIterator entries) {
        byte[] key = entries.isValid() ? entries.key() : prefix;
        return key.length > prefix.length && Arrays.mismatch(prefix, key) == prefix.length ? key : null;
    }

    public static byte[] session(RowId id) {
        return of(SESSION, id, 0).array();
    }

    public static byte[] request(RowId id, long number) {
        return of(REQUEST, id, Long.BYTES).putLong(number).array();
    }

    /** Greater than the key of every request of this session, because no number is that high. */
    public static byte[] afterRequests(RowId id) {
        return request(id, Long.MAX_VALUE);
    }

    private static ByteBuffer of(byte kind, RowId id, int more) {
        return ByteBuffer.allocate(1 + RowId.BYTES + more)
                .put(kind)
                .putLong(id.high())
                .putLong(id.low());
    }

    /** An entry of the list. */
    public record Listed(long when, RowId id) {

        private static final byte[] NONE = {0};

        public static byte[] start() {
            return new byte[] {LIST};
        }

        /** Null after the end of the list. */
        public static @Nullable Listed at(RocksIterator entries) {
            byte[] key = entries.isValid() ? entries.key() : NONE;
            return key[0] == LIST ? new Listed(ByteBuffer.wrap(key).getLong(1), RowId.at(key, 1 + Long.BYTES)) : null;
        }

        public byte[] bytes() {
            return buffer(0).array();
        }

        /** The immediate successor of this key. */
        public byte[] after() {
            return buffer(1).array();
        }

        private ByteBuffer buffer(int more) {
            return ByteBuffer.allocate(1 + Long.BYTES + RowId.BYTES + more)
                    .put(LIST)
                    .putLong(when)
                    .putLong(id.high())
                    .putLong(id.low());
        }
    }

    private SessionKeys() {}
}
