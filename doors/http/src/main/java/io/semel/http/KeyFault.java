// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.http.KeyField.Fault;

/** Ends the reading of a field where it stops making sense; it has no stack trace, because clients decide how often it happens. */
final class KeyFault extends Exception {

    private static final long serialVersionUID = 1L;

    private final Fault fault;
    private final String detail;

    KeyFault(Fault fault, String detail) {
        super(detail, null, false, false);
        this.fault = fault;
        this.detail = detail;
    }

    KeyField.Malformed field() {
        return new KeyField.Malformed(fault, detail);
    }
}
