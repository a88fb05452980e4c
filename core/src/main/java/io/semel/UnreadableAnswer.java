// SPDX-License-Identifier: Apache-2.0
package io.semel;

import org.jspecify.annotations.Nullable;

/** Thrown when a stored answer cannot be read: unknown format, damaged bytes, missing key, or a codec that changed. */
public final class UnreadableAnswer extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnreadableAnswer(String message) {
        super(message);
    }

    public UnreadableAnswer(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
