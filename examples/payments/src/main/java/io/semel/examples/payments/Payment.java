// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

/** What was charged. */
record Payment(long id, String orderId, long amountCents) {}
