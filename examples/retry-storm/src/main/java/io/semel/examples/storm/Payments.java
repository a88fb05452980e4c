// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

/** The payment method that the storm hits. */
interface Payments {

    /** Charges the order and answers with the receipt. */
    String pay(String order, long cents);
}
