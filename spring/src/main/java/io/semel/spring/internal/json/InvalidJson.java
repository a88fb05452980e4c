// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.json;

/** The failure of reading JSON as a type, or of writing a value as JSON; its message is Jackson's, without the place. */
public final class InvalidJson extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidJson(String message, Throwable cause) {
        super(message, cause);
    }

    InvalidJson(String message) {
        super(message);
    }
}
