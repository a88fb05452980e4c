// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import org.jspecify.annotations.Nullable;

/** Compares bodies not at all. */
public final class UncomparedDigester implements BodyDigester {

    @Override
    public String name() {
        return "uncompared";
    }

    @Override
    public boolean takes(@Nullable MediaType type) {
        return true;
    }

    @Override
    public BodyDigest start(@Nullable MediaType type) {
        return new BodyDigest() {
            @Override
            public void update(byte[] bytes, int from, int length) {}

            @Override
            public byte[] finish() {
                return new byte[0];
            }
        };
    }
}
