// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

/** A head that could be read in two ways; without a stack trace, because clients and services decide how often it happens. */
public final class MalformedHead extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MalformedHead(String message) {
        super(message, null, false, false);
    }
}
