// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

final class RawForm extends BodyForm {

    static final RawForm INSTANCE = new RawForm();

    @Override
    String name() {
        return "raw";
    }

    @Override
    boolean takes(@Nullable MediaType type) {
        return true;
    }

    @Override
    BodyDigest start(@Nullable MediaType type) {
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
