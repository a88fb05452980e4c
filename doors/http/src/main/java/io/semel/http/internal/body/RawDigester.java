// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import io.semel.http.internal.text.Sha256;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Compares bodies byte by byte. */
public final class RawDigester implements BodyDigester {

    @Override
    public String name() {
        return "raw";
    }

    @Override
    public boolean takes(@Nullable MediaType type) {
        return true;
    }

    @Override
    public BodyDigest start(@Nullable MediaType type) {
        MessageDigest sha = Sha256.digest();
        return new BodyDigest() {
            @Override
            public void update(byte[] bytes, int from, int length) {
                sha.update(bytes, from, length);
            }

            @Override
            public byte[] finish() {
                return sha.digest();
            }
        };
    }
}
