// SPDX-License-Identifier: Apache-2.0
package io.semel;

/** Thrown for a key that cannot be one: empty, too long, not expressible in UTF-8, or dated in the future. */
public final class MalformedKey extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public MalformedKey(String message) {
        super(message);
    }
}
