// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import org.jspecify.annotations.Nullable;

final class UncomparedForm extends BodyForm {

    static final UncomparedForm INSTANCE = new UncomparedForm();

    @Override
    String name() {
        return "uncompared";
    }

    @Override
    boolean takes(@Nullable MediaType type) {
        return true;
    }

    @Override
    BodyDigest start(@Nullable MediaType type) {
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
