// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

/** The first attempt: charges whenever it is asked, so every retry is a charge. */
final class Naive implements Payments {

    private final Ledger ledger;

    Naive(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String pay(String order, long cents) {
        return ledger.charge(order, cents);
    }
}
