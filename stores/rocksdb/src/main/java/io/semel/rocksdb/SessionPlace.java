// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Key;
import io.semel.session.SessionKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksIterator;

/** The keys of the family of sessions: sessions, their requests, and a list of sessions by when to look at each again. */
final class SessionPlace {

    private static final byte SESSION = 1;
    private static final byte REQUEST = 2;
    private static final byte LIST = 3;
    private static final byte SCOPE = 4;

    static Id id(SessionKey key) {
        return Id.of(Key.of(key.scope(), key.id()));
    }

    static Id scope(String scope) {
        return Id.of(Key.of("scope", scope));
    }

    /** That a scope has a live session. */
    static byte[] ofScope(Id scope, Id session) {
        return of(SCOPE, scope, Id.BYTES)
                .putLong(session.high())
                .putLong(session.low())
                .array();
    }

    /** The session of a scope at an entry; null where the sessions of this scope are over. */
    static @Nullable Id ofScope(Id scope, RocksIterator entries) {
        byte[] key = at(of(SCOPE, scope, 0).array(), entries);
        return key == null ? null : Id.at(key, 1 + Id.BYTES);
    }

    /** The number of a session at an entry; null where the requests of this session are over. */
    static @Nullable Long number(Id session, RocksIterator entries) {
        byte[] key = at(of(REQUEST, session, 0).array(), entries);
        return key == null ? null : ByteBuffer.wrap(key).getLong(1 + Id.BYTES);
    }

    private static byte @Nullable [] at(byte[] prefix, RocksIterator entries) {
        byte[] key = entries.isValid() ? entries.key() : prefix;
        return key.length > prefix.length && Arrays.mismatch(prefix, key) == prefix.length ? key : null;
    }

    static byte[] session(Id id) {
        return of(SESSION, id, 0).array();
    }

    static byte[] request(Id id, long number) {
        return of(REQUEST, id, Long.BYTES).putLong(number).array();
    }

    /** Above every request of this session: no number is that high. */
    static byte[] afterRequests(Id id) {
        return request(id, Long.MAX_VALUE);
    }

    private static ByteBuffer of(byte kind, Id id, int more) {
        return ByteBuffer.allocate(1 + Id.BYTES + more)
                .put(kind)
                .putLong(id.high())
                .putLong(id.low());
    }

    /** An entry of the list. */
    record Listed(long when, Id id) {

        static final byte[] START = {LIST};
        private static final byte[] NONE = {0};

        /** Null where the list is over. */
        static @Nullable Listed at(RocksIterator entries) {
            byte[] key = entries.isValid() ? entries.key() : NONE;
            return key[0] == LIST ? new Listed(ByteBuffer.wrap(key).getLong(1), Id.at(key, 1 + Long.BYTES)) : null;
        }

        byte[] bytes() {
            return buffer(0).array();
        }

        /** The very next key. */
        byte[] after() {
            return buffer(1).array();
        }

        private ByteBuffer buffer(int more) {
            return ByteBuffer.allocate(1 + Long.BYTES + Id.BYTES + more)
                    .put(LIST)
                    .putLong(when)
                    .putLong(id.high())
                    .putLong(id.low());
        }
    }

    private SessionPlace() {}
}
