// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import org.springframework.stereotype.Component;

/** Checks an order before it is charged, which takes as long as it takes. */
@Component
class Bank {

    void check(PaymentRequest request) {
        request.checkedOrder();
        request.checkedAmount();
    }
}
