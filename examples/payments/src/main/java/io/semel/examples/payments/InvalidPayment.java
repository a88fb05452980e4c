// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

/** A payment that cannot be made, however often it is asked for. */
final class InvalidPayment extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidPayment(String message) {
        super(message);
    }
}
