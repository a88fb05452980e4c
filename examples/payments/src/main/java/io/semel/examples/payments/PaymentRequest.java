// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import org.jspecify.annotations.Nullable;

/** What a client asks to be charged. */
record PaymentRequest(@Nullable String orderId, @Nullable Long amountCents) {

    private static final int LONGEST_ORDER = 100;

    String checkedOrder() {
        if (orderId == null || orderId.isBlank() || orderId.length() > LONGEST_ORDER) {
            throw new InvalidPayment("orderId has from 1 to " + LONGEST_ORDER + " characters.");
        }
        return orderId;
    }

    long checkedAmount() {
        if (amountCents == null || amountCents <= 0) {
            throw new InvalidPayment("amountCents is a number above zero.");
        }
        return amountCents;
    }
}
