// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The second attempt: remembers receipts. Two requests at once both find none; a restart forgets all of them; and another
 * amount for the same order gets a receipt that is not its own.
 */
final class HalfFixed implements Payments {

    private final Ledger ledger;
    private final Map<String, String> receipts = new ConcurrentHashMap<>();

    HalfFixed(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String pay(String order, long cents) {
        String receipt = receipts.get(order);
        if (receipt == null) {
            receipt = ledger.charge(order, cents);
            receipts.put(order, receipt);
        }
        return receipt;
    }
}
