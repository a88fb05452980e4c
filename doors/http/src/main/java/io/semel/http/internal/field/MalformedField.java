// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.field;

import io.semel.http.KeyField;
import io.semel.http.KeyField.Fault;

/** Ends the reading of a field where it stops making sense; it has no stack trace, because clients decide how often it happens. */
public final class MalformedField extends Exception {

    private static final long serialVersionUID = 1L;

    private final Fault fault;
    private final String detail;

    public MalformedField(Fault fault, String detail) {
        super(detail, null, false, false);
        this.fault = fault;
        this.detail = detail;
    }

    public KeyField.Malformed field() {
        return new KeyField.Malformed(fault, detail);
    }
}
