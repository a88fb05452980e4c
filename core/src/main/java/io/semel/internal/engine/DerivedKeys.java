// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.Key;
import io.semel.internal.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import javax.crypto.Mac;

/** Keys for downstream calls: HMAC-SHA-256 of key and name, in the shape of a UUID of version 8. */
final class DerivedKeys {

    static String key(byte[] secret, Key key, String name) {
        Mac mac = Sha256.hmac(secret);
        update(mac, key.scope());
        update(mac, key.id());
        update(mac, name);
        ByteBuffer bits = ByteBuffer.wrap(mac.doFinal());
        long high = (bits.getLong() & ~0xf000L) | 0x8000L;
        long low = bits.getLong() >>> 2 | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }

    private static void update(Mac mac, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        mac.update(bytes);
    }

    private DerivedKeys() {}
}
