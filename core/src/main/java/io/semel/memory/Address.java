// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import io.semel.Key;
import java.nio.charset.StandardCharsets;

/** A key as the memory store looks for it: its bytes, and the hash that says where they are. */
final class Address {

    final byte[] scope;
    final byte[] id;
    final long hash;

    Address(Key key, Hash hash) {
        this.scope = key.scope().getBytes(StandardCharsets.UTF_8);
        this.id = key.id().getBytes(StandardCharsets.UTF_8);
        this.hash = hash.of(scope, id);
    }

    int stripe(int stripes) {
        return (int) (hash >>> 32) & (stripes - 1);
    }

    /** Never zero, which marks an empty place. */
    int tag() {
        int tag = (int) hash;
        return tag == 0 ? 1 : tag;
    }
}
